import { isUtf8 } from 'node:buffer';

/** The bytes without a character that was cut off at their end. */
export function cutAtCharacter(bytes: Buffer): Buffer {
  // A character has at most four bytes: its first one is among the last three or nothing was cut.
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return back < lengthOfCharacter(byte) ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function lengthOfCharacter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  return firstByte >= 0xe0 ? 3 : 2;
}

/** Offset of the first byte that is not UTF-8; undefined when all are. */
export function findInvalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  // Every prefix of a good prefix is good, so the longest good one is found by halving.
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isUtf8(cutAtCharacter(bytes.subarray(0, middle)))) good = middle;
    else bad = middle;
  }
  return cutAtCharacter(bytes.subarray(0, good)).length;
}
