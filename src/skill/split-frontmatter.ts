/** Largest frontmatter that is parsed, bytes: the longest real one is a tenth of it, and a parser's time grows. */
export const MAX_BLOCK_BYTES = 64 * 1024;

/** Line of the file on which the block begins. */
export const BLOCK_LINE = 2;

/** A SKILL.md cut in two, or why it cannot be. */
export type Split = { readonly block: string; readonly body: string } | { readonly fault: string };

const OPENING = /^---[ \t]*\r?(?:\n|$)/;
// Not the m flag: there `^` also stands after U+2028 and a lone CR, which end no line here.
const CLOSING = /\n---[ \t]*\r?(?:\n|$)/g;
const FENCE_LINE = /^---[ \t]*\r?$/;

/**
 * Separates the block between the two fence lines from the body, which is everything after the second one, byte for
 * byte. `text` is decoded, without a byte-order mark.
 */
export function splitFrontmatter(text: string): Split {
  const opening = OPENING.exec(text);
  if (opening === null) return { fault: explainMissingFence(text) };
  const start = opening[0].length;
  // One step back: the line end of the opening fence begins an empty block's closing one.
  CLOSING.lastIndex = start - 1;
  const closing = opening[0].endsWith('\n') ? CLOSING.exec(text) : null;
  if (closing === null)
    return { fault: 'no closing fence: the --- of line 1 is never followed by another one' };
  const block = text.slice(start, closing.index + 1);
  if (Buffer.byteLength(block) > MAX_BLOCK_BYTES) {
    return { fault: `frontmatter over ${MAX_BLOCK_BYTES / 1024} KiB (${Buffer.byteLength(block)} bytes)` };
  }
  return { block, body: text.slice(closing.index + closing[0].length) };
}

function explainMissingFence(text: string): string {
  const lines = text.split('\n', 50);
  const line = lines.findIndex((content) => FENCE_LINE.test(content));
  const isPreamble =
    line > 0 && lines.slice(0, line).every((content) => /^\s*(?:#.*|<!--.*)?$/.test(content));
  if (isPreamble) return `no frontmatter: the fence --- must be line 1, it is line ${line + 1}`;
  return 'no frontmatter: line 1 is not ---';
}
