import type { FenceOptions } from '../../protocol.js';
import type { Containment } from './fence.js';

/** Flags that this Node understands; `known` is what it lists as its own. */
export function buildPermissionFlags(
  readable: readonly string[],
  writable: readonly string[],
  known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags,
): string[] {
  const isExperimental = !known.has('--permission');
  return [
    isExperimental ? '--experimental-permission' : '--permission',
    // The notice about the flag is no output of the script.
    ...(isExperimental && known.has('--disable-warning') ? ['--disable-warning=ExperimentalWarning'] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ];
}

/** Whether the model can be put on this program: it is Node's own, and knows pinned scripts only. */
export function takesPermissions(work: { file: string; root?: string | undefined }, node: string): boolean {
  return work.file === node && work.root !== undefined;
}

/** Runs pinned scripts of this Node without child processes, workers, addons, and files beyond the granted ones. */
export function permitNode(
  inner: Containment,
  grants: Pick<FenceOptions, 'readable' | 'writable'>,
  node: string,
): Containment {
  return {
    ...inner,
    wrap: (work) => {
      if (work.root === undefined || !takesPermissions(work, node)) return inner.wrap(work);
      const readable = [...new Set([work.root, work.cwd, ...grants.readable, ...grants.writable])];
      const flags = buildPermissionFlags(readable, grants.writable);
      return inner.wrap({ ...work, args: [...flags, ...work.args] });
    },
  };
}
