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
  if (measureOnLine(text) <= budget) return text;
  let fits = 0;
  let over = text.length;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (measureOnLine(text.slice(0, middle)) <= budget) fits = middle;
    else over = middle;
  }
  const last = text.charCodeAt(fits - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? fits - 1 : fits);
}
