import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

// A checked-out symlink holds a path and nothing else; no path is longer.
const MAX_POINTER_BYTES = 1_024;
const RELATIVE_PATH = /^(?!\/)[^\s\p{Cc}:]+\n?$/u;

/** The path that is the whole text of a small file, where it looks like a symlink checked out as text. */
export async function readPointer(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size === 0 || found.size > MAX_POINTER_BYTES) return undefined;
    const text = await readFile(path, 'utf8');
    if (!RELATIVE_PATH.test(text)) return undefined;
    const target = text.trim();
    // One word may be anything (a version, a licence); a path of one segment has to lead somewhere.
    if (target.includes('/')) return target;
    return (await stat(resolve(dirname(path), target))).isDirectory() ? target : undefined;
  } catch {
    return undefined;
  }
}
