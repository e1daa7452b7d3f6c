import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readCapped } from './read-capped.js';

// A checked-out symlink holds a path and nothing else; no path is longer.
const MAX_POINTER_BYTES = 1_024;
const RELATIVE_PATH = /^(?!\/)[^\s\p{Cc}:]+\n?$/u;

/** The path that is the whole text of a small file in a real directory, where it looks like a symlink checked out as text. */
export async function readPointer(directory: string, name: string): Promise<string | undefined> {
  const read = await readCapped(directory, name, MAX_POINTER_BYTES);
  if ('fault' in read || read.truncated || !isUtf8(read.bytes)) return undefined;
  const text = read.bytes.toString('utf8');
  if (!RELATIVE_PATH.test(text)) return undefined;
  const target = text.trim();
  // One word may be anything (a version, a licence); a path of one segment has to lead somewhere.
  return target.includes('/') || (await isDirectory(resolve(directory, target))) ? target : undefined;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
