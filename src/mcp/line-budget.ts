/** Longest line that is written, bytes: clients read lines into buffers of 10 MiB. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Kept free on every line for the envelope around a tool's answer: id, keys, identity of the server. */
export const ENVELOPE_BYTES = 16 * 1024;

/**
 * Bytes that a string field of an answer takes on the finished line. The answer is JSON in a string of JSON,
 * so it is escaped twice: an ESC byte becomes 7 bytes, a quote 4.
 */
export function measureOnLine(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/** The longest beginning of `text` that takes at most `budget` bytes on the line, cut at a character. */
export function cutToLine(text: string, budget: number): string {
  let left = budget - measureOnLine('');
  let end = 0;
  for (const character of text) {
    left -= costOnLine(character);
    if (left < 0) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** Escaped with one letter in JSON; the backslash of the escape is escaped again. */
const SHORT_ESCAPES = new Set(['\b', '\t', '\n', '\f', '\r']);

/** Bytes of one character on the line; the same as measuring it, but in one pass over a megabyte. */
function costOnLine(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return SHORT_ESCAPES.has(character) ? 3 : 7;
  if (character === '"' || character === '\\') return 4;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isLoneSurrogate ? 7 : 3;
}
