import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { ScriptPin } from '../protocol.js';

const CHUNK_BYTES = 256 * 1024;

/** Scripts are small; after this much hashing other runs get their turn, bytes. */
const BREATH_BYTES = 4 * 1024 * 1024;

/** A FIFO must not hold us at the open, and a link in the file's place is another file. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Compares the file on the disk with the approved one. Returns one line on the first difference, or undefined.
 * The bytes are read from the very descriptor that was checked.
 */
export async function findPinFault(pin: ScriptPin): Promise<string | undefined> {
  let fd: number;
  try {
    if (realpathSync(pin.path) !== pin.path) return 'the script is reached by another path than approved';
    if (!pin.path.startsWith(pin.root.endsWith(sep) ? pin.root : pin.root + sep)) {
      return 'the script is outside its directory';
    }
    fd = openSync(pin.path, OPEN_FLAGS);
  } catch {
    return 'the script cannot be opened any more';
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) return 'the script is no regular file any more';
    if (`${stat.dev}` !== pin.dev || `${stat.ino}` !== pin.ino)
      return 'the script was replaced by another file';
    if ((await hashOpenFile(fd)) !== pin.sha256) return 'the bytes of the script are not the approved ones';
    return undefined;
  } catch {
    return 'the script cannot be read any more';
  } finally {
    closeSync(fd);
  }
}

async function hashOpenFile(fd: number): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let sinceBreath = 0;
  for (;;) {
    const bytes = readSync(fd, chunk, 0, chunk.byteLength, null);
    if (bytes === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytes));
    sinceBreath += bytes;
    if (sinceBreath >= BREATH_BYTES) {
      sinceBreath = 0;
      await new Promise(setImmediate);
    }
  }
}
