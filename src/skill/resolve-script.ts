import type { Bundle } from './read-file.js';

/** A script as a run plan pins it. */
export interface ResolvedScript {
  /** Real absolute path, symlinks followed. */
  readonly realPath: string;
  /** Real directory of the skill, which holds `realPath`. */
  readonly root: string;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  /** Of all bytes, hexadecimal. */
  readonly sha256: string;
}

/** Finds and hashes a script of the bundle. Throws the same Refusals as readBundleFile. */
export async function resolveScript(_bundle: Bundle, _script: string): Promise<ResolvedScript> {
  throw new Error('not written yet');
}
