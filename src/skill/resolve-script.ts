import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { useOpened } from './read-capped.js';
import { type Bundle, refuseFile, requireAddressable } from './refuse-file.js';

/** A script as a run plan pins it. */
export interface ResolvedScript {
  /** Real absolute path, symlinks followed. */
  readonly realPath: string;
  /** Real directory of the skill, which holds `realPath`. */
  readonly root: string;
  /** Decimal digits: device and inode may not fit into a number. */
  readonly dev: string;
  readonly ino: string;
  readonly size: number;
  /** Of all bytes, hexadecimal. */
  readonly sha256: string;
}

// One buffer for a file of any size: big enough to be fast, small enough to be forgotten.
const CHUNK_BYTES = 64 * 1024;

/** Finds and hashes a script of the bundle. Throws the same Refusals as readBundleFile. */
export async function resolveScript(bundle: Bundle, script: string): Promise<ResolvedScript> {
  requireAddressable(script);
  const root = bundle.directory;
  const hashed = await useOpened(root, script, async (handle) => ({ sha256: await hashFile(handle) }));
  if ('fault' in hashed) throw refuseFile(bundle, script, hashed);
  const { stat, realPath, sha256 } = hashed;
  return {
    realPath,
    root,
    dev: stat.dev.toString(),
    ino: stat.ino.toString(),
    size: Number(stat.size),
    sha256,
  };
}

async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}
