import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { describeErrno } from '../errors/errno.js';
import { type FileFault, openInside } from './open-inside.js';

/** The beginning of a file: what was asked for and how much there is. */
export interface CappedBytes {
  /** At most the cap; exactly as on the disk. */
  readonly bytes: Buffer;
  /** Bytes on the disk. */
  readonly size: number;
  readonly truncated: boolean;
  readonly stat: BigIntStats;
  readonly realPath: string;
}

// The first try and two more: a file that changes under every one of them is being written right now.
const TRIES = 3;

/** Reads at most `cap` bytes of a file inside a skill; never allocates more. The bytes are of one moment. */
export async function readCapped(
  directory: string,
  path: string,
  cap: number,
): Promise<CappedBytes | FileFault> {
  return useOpened(directory, path, async (handle, stat) => {
    const size = Number(stat.size);
    const bytes = await readBeginning(handle, Math.min(size, cap));
    return { bytes, size, truncated: size > cap };
  });
}

/** Opens a file inside a skill, lets `use` read it, and tries again when it changed meanwhile. Closes it always. */
export async function useOpened<Result extends object>(
  directory: string,
  path: string,
  use: (handle: FileHandle, stat: BigIntStats) => Promise<Result>,
): Promise<(Result & { stat: BigIntStats; realPath: string }) | FileFault> {
  for (let tries = 0; tries < TRIES; tries++) {
    const opened = await openInside(directory, path);
    if ('fault' in opened) {
      if (opened.fault === 'changed') continue;
      return opened;
    }
    const { handle, stat, realPath } = opened;
    try {
      const result = await use(handle, stat);
      if (isSameState(stat, await handle.stat({ bigint: true }))) return { ...result, stat, realPath };
    } catch (error) {
      return { fault: 'unreadable', errno: describeErrno(error) };
    } finally {
      await handle.close();
    }
  }
  return { fault: 'changed' };
}

async function readBeginning(handle: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function isSameState(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
