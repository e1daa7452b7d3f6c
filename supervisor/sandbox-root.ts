import { lstatSync, readlinkSync } from 'node:fs';

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

/** Options of bubblewrap that open an empty root with the system in it, read-only, and private /tmp, /dev and /proc. */
export function buildSandboxRoot(network: 'host' | 'none', privateFolders: readonly string[] = []): string[] {
  return [
    ...ISOLATION,
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...['/tmp', ...privateFolders].flatMap((folder) => ['--tmpfs', folder]),
    ...SYSTEM_FOLDERS.flatMap(showSystemFolder),
    ...[...SYSTEM_FILES, ...(network === 'host' ? NETWORK_FILES : [])].flatMap((file) => [
      ...['--ro-bind-try', file, file],
    ]),
    ...['--proc', '/proc', '--dev', '/dev'],
  ];
}

/** True for what a sandbox shows anyway. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

function showSystemFolder(folder: string): string[] {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return [];
  return entry.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}
