import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeErrno, errnoOf, isAbsent } from '../errors/errno.js';
import { isInside } from './safe-path.js';

/** Why a path of a bundle cannot be read; each is another sentence to the caller. */
export type FileFault =
  | { readonly fault: 'absent' | 'outside' | 'changed' | 'too-long' }
  | { readonly fault: 'unreadable'; readonly errno: string }
  | { readonly fault: 'not-regular'; readonly kind: string };

/** A regular file that was inside the skill's real directory when it was opened. The caller closes the handle. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
  readonly realPath: string;
}

/** Where a path leads at this moment, by stat alone. */
export interface LocatedFile {
  readonly stat: BigIntStats;
  readonly realPath: string;
}

// O_NONBLOCK: a FIFO put in place of the file must not hold the open; O_NOCTTY: nor a terminal become ours.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Follows a path that has passed the string rule; nothing is opened. */
export async function locateInside(directory: string, path: string): Promise<LocatedFile | FileFault> {
  const full = join(directory, path);
  try {
    const found = await stat(full, { bigint: true });
    const realPath = await realpath(full);
    if (!isInside(directory, realPath)) return { fault: 'outside' };
    if (!found.isFile()) return { fault: 'not-regular', kind: kindOf(found) };
    return { stat: found, realPath };
  } catch (error) {
    return faultOf(error);
  }
}

/**
 * Opens first and checks then, so that a link swapped in between is never followed outside: the opened file itself
 * must lie inside `directory` (a real path). `changed` when the two disagree; the caller may try again.
 */
export async function openInside(directory: string, path: string): Promise<OpenedFile | FileFault> {
  const located = await locateInside(directory, path);
  if ('fault' in located) return located;
  const full = join(directory, path);
  let handle: FileHandle;
  try {
    handle = await open(full, OPEN_FLAGS);
  } catch (error) {
    return faultOf(error);
  }
  const confirmed = await confirmInside(directory, full, handle);
  if (confirmed !== undefined) return { handle, ...confirmed };
  await handle.close();
  return { fault: 'changed' };
}

async function confirmInside(
  directory: string,
  full: string,
  handle: FileHandle,
): Promise<LocatedFile | undefined> {
  try {
    const opened = await handle.stat({ bigint: true });
    const realPath = await realpath(full);
    if (!opened.isFile() || !isInside(directory, realPath)) return undefined;
    const named = await stat(realPath, { bigint: true });
    if (named.dev !== opened.dev || named.ino !== opened.ino) return undefined;
    // A name can be swapped twice between two calls; the kernel's own name of the handle cannot be.
    const opensAt = await readHandlePath(handle);
    const stays = opensAt === undefined || isInside(directory, opensAt);
    return stays ? { stat: opened, realPath } : undefined;
  } catch {
    return undefined;
  }
}

async function readHandlePath(handle: FileHandle): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return undefined; // no /proc here: what realpath and dev:ino said has to do
  }
}

function faultOf(error: unknown): FileFault {
  if (isAbsent(error)) return { fault: 'absent' };
  if (errnoOf(error) === 'ENAMETOOLONG') return { fault: 'too-long' };
  return { fault: 'unreadable', errno: describeErrno(error) };
}

/** What a path that is no regular file is, in a word. */
export function kindOf(found: BigIntStats): string {
  if (found.isDirectory()) return 'directory';
  if (found.isFIFO()) return 'FIFO';
  if (found.isSocket()) return 'socket';
  return 'device';
}
