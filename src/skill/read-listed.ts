import * as fs from 'node:fs';
import { closeSync, constants, fstatSync, readlinkSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import { promisify } from 'node:util';

/** The beginning of a file and how it looked before it was read. */
export interface ListedBytes {
  readonly bytes: Buffer;
  /** Bytes on the disk. */
  readonly size: number;
  readonly truncated: boolean;
  readonly stats: Stats;
}

// What waits for a disk is awaited; what only asks the kernel about an open handle is not worth a thread.
const open = promisify(fs.open);
const read = promisify(fs.read);

// As for any other file of a skill, and a link put in the file's place is not followed at all.
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads at most `cap` bytes of a file that a listing of its real directory has just called regular: two waits where the
 * general way takes ten. Undefined whenever anything is not as it was listed, or the kernel does not tell the handle's
 * own name: the general way finds out then.
 */
export async function readListed(
  directory: string,
  name: string,
  cap: number,
): Promise<ListedBytes | undefined> {
  const path = directory + sep + name;
  let handle: number;
  try {
    handle = await open(path, OPEN_FLAGS);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || readlinkSync(`/proc/self/fd/${handle}`) !== path) return undefined;
    const bytes = await readBeginning(handle, Math.min(stats.size, cap));
    const after = fstatSync(handle);
    if (after.mtimeMs !== stats.mtimeMs || after.ctimeMs !== stats.ctimeMs || after.size !== stats.size)
      return undefined;
    return { bytes, size: stats.size, truncated: stats.size > cap, stats };
  } catch {
    return undefined;
  } finally {
    closeSync(handle);
  }
}

async function readBeginning(handle: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await read(handle, buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
