import { lstatSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';

/** What a sandbox cuts off, in every run and in the self-test alike. */
const ISOLATION = [
  // Ends with its parent, and its terminal, if there is one, cannot be typed into.
  ...['--die-with-parent', '--new-session', '--as-pid-1'],
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
  ...['--cap-drop', 'ALL'],
] as const;

/** Where programs and their libraries live; on most systems all but the first are links into it. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** What the loader and every program read of the configuration. Nothing that names users or holds keys. */
const SYSTEM_FILES = [
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives'],
  ...['/etc/localtime', '/etc/timezone', '/etc/mime.types', '/etc/nsswitch.conf'],
];

/** What it takes to reach other machines by name, and to trust them. */
const NETWORK_FILES = [
  ...['/etc/resolv.conf', '/etc/hosts', '/etc/host.conf', '/etc/gai.conf', '/etc/services', '/etc/protocols'],
  ...['/etc/ssl', '/etc/pki', '/etc/ca-certificates', '/etc/ca-certificates.conf'],
];

/** Options of bubblewrap that open an empty root with the system in it, read-only, and folders of its own. */
export function buildSandboxRoot(network: 'host' | 'none', privateFolders: readonly string[]): string[] {
  return [
    ...ISOLATION,
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...privateFolders.flatMap((folder) => ['--tmpfs', folder]),
    ...SYSTEM_FOLDERS.flatMap(showSystemFolder),
    ...[...SYSTEM_FILES, ...(network === 'host' ? NETWORK_FILES : [])].flatMap((file) => [
      ...['--ro-bind-try', file, file],
    ]),
    ...['--proc', '/proc', '--dev', '/dev'],
  ];
}

/** Places that a sandbox has of its own: those of the machine would undo it. */
const OWN_FOLDERS = ['/proc', '/dev', '/sys'];

/** True for what a sandbox shows anyway. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => isInside(path, folder));
}

/** True for what a sandbox can never show at its own place: the whole machine, its processes and devices. */
export function isOffLimits(path: string): boolean {
  const clean = posix.resolve(path);
  return clean === '/' || OWN_FOLDERS.some((folder) => isInside(clean, folder));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function showSystemFolder(folder: string): string[] {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return [];
  return entry.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}
