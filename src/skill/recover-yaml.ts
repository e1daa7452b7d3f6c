import { parseDocument } from 'yaml';
import { BLOCK_LINE } from './split-frontmatter.js';

/** A block in which single values were quoted, and where they stand in the file (`line:column`). */
export interface Recovery {
  readonly block: string;
  readonly quoted: readonly string[];
}

interface Entry {
  readonly key: string;
  /** Index of the entry's first line in the block. */
  readonly line: number;
  /** Text of the value, line by line, as it stands behind the key and below it. */
  readonly value: readonly string[];
}

// The bound keeps a line of 64 KiB blanks from being tried in every division.
const ENTRY = /^([\p{L}\p{N}_][\p{L}\p{M}\p{N}_. -]{0,63}?)[ \t]*:(?:[ \t]+(.*)|)$/u;
// What can only be a quoted, block, flow, anchored, tagged or commented value is never taken for a plain one.
const NOT_PLAIN = /^["'|>[{&*!#]|^[-?](?:\s|$)/;
// Values that stand wholly below their key look like nested mappings; only these keys never hold one.
const ALWAYS_TEXT: ReadonlySet<string> = new Set(['name', 'description', 'when-to-use', 'when_to_use']);

// Each value is parsed by itself; a real block has a dozen of them, a hostile one has thousands.
const MAX_ENTRIES = 64;

/**
 * Quotes the top-level plain values that do not parse by themselves: those with `: ` in them and those that begin with
 * a reserved character. Lines keep their numbers. Undefined when there is nothing to quote; the result may still not
 * parse, since nothing else is guessed.
 */
export function quotePlainValues(block: string): Recovery | undefined {
  const lines = block.split('\n').map((line) => line.replace(/\r$/, ''));
  const quoted: string[] = [];
  const entries = findEntries(lines);
  if (entries.length > MAX_ENTRIES) return undefined;
  for (const entry of entries) {
    if (!isPlain(entry) || parsesAlone(lines, entry)) continue;
    quoted.push(locateOffence(lines, entry));
    const span = entry.value.length;
    const replacement = [`${entry.key}: ${JSON.stringify(fold(entry.value))}`];
    lines.splice(entry.line, span, ...replacement, ...Array<string>(span - 1).fill(''));
  }
  return quoted.length === 0 ? undefined : { block: lines.join('\n'), quoted };
}

function findEntries(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const [line, content] of lines.entries()) {
    const match = ENTRY.exec(content);
    if (match === null) continue;
    let end = line + 1;
    while (end < lines.length && /^(?:[ \t]|$)/.test(lines[end] ?? '')) end += 1;
    while (end > line + 1 && lines[end - 1]?.trim() === '') end -= 1;
    entries.push({ key: match[1] ?? '', line, value: [match[2] ?? '', ...lines.slice(line + 1, end)] });
  }
  return entries;
}

function isPlain({ key, value }: Entry): boolean {
  if (value.slice(1).some((line) => /^\t|^\s*#/.test(line))) return false;
  const [first = '', ...below] = value.map((line) => line.trim());
  if (first !== '') return !NOT_PLAIN.test(first);
  const start = below.find((line) => line !== '');
  return start !== undefined && ALWAYS_TEXT.has(key) && !NOT_PLAIN.test(start);
}

function parsesAlone(lines: readonly string[], { line, value }: Entry): boolean {
  const text = lines.slice(line, line + value.length).join('\n');
  return parseDocument(text, { prettyErrors: false }).errors.length === 0;
}

function locateOffence(lines: readonly string[], { line, value }: Entry): string {
  const offending = value.findIndex((text) => /:(?:\s|$)/.test(text));
  const index = offending === -1 ? value.findIndex((text) => text.trim() !== '') : offending;
  const text = (value[index] ?? '').trimStart();
  const whole = lines[line + index] ?? '';
  const before = whole.slice(0, whole.length - text.length);
  return `${line + index + BLOCK_LINE}:${[...before].length + 1}`;
}

/** Joins the lines of a plain value as YAML does: one line end is a blank, n + 1 of them are n line ends. */
function fold(value: readonly string[]): string {
  let text = '';
  let blanks = 0;
  for (const line of value.map((part) => part.trim())) {
    if (line === '') {
      blanks += 1;
      continue;
    }
    if (text !== '') text += blanks === 0 ? ' ' : '\n'.repeat(blanks);
    text += line;
    blanks = 0;
  }
  return text;
}
