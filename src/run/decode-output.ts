const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Output as text. */
export interface DecodedOutput {
  readonly text: string;
  /** Sequences that were no UTF-8 and are shown as U+FFFD. */
  readonly invalid: number;
}

/** Decodes captured bytes; where the capture was cut, a character that was split by the cut is dropped. */
export function decodeOutput(bytes: Uint8Array, truncated: boolean): DecodedOutput {
  // A byte-order mark is part of what the script wrote.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: truncated });
  return { text, invalid: countIn(text) - countBytes(Buffer.from(bytes)) };
}

function countIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) count += 1;
  return count;
}

/** A script may print U+FFFD itself, which is valid. */
function countBytes(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(REPLACEMENT_BYTES); at !== -1; at = bytes.indexOf(REPLACEMENT_BYTES, at + 1)) {
    count += 1;
  }
  return count;
}
