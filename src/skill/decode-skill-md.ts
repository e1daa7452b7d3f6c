import { findInvalidUtf8 } from './utf8.js';

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Text of a SKILL.md without its byte-order mark, or why its bytes are none. */
export function decodeSkillMd(bytes: Buffer): { readonly text: string } | { readonly fault: string } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { fault: 'not UTF-8 (UTF-16 byte-order mark at byte 0)' };
  }
  const invalid = findInvalidUtf8(bytes);
  if (invalid !== undefined)
    return { fault: `not UTF-8 (byte ${invalid} is 0x${bytes[invalid]?.toString(16)})` };
  const start = bytes.subarray(0, 3).equals(UTF8_BOM) ? 3 : 0;
  return { text: bytes.toString('utf8', start) };
}
