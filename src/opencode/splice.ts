import type { Node } from 'jsonc-parser';
import { Refusal } from '../errors/refusal.js';
import { scanPieces } from './jsonc-text.js';

// Everything outside the spliced ranges stays byte for byte: comments, order, indentation, line ends.

/** Adds a member at the end of an object. */
export function insertMember(text: string, object: Node, key: string, value: unknown): string {
  return insertLast(text, object, (layout) => `${JSON.stringify(key)}: ${writeValue(value, layout)}`);
}

/** Adds an element at the end of an array. */
export function appendElement(text: string, array: Node, value: unknown): string {
  return insertLast(text, array, (layout) => writeValue(value, layout));
}

/** Puts another value in a node's place. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  return cut(text, node.offset, endOf(node), JSON.stringify(value));
}

/** Takes a member out of its object. Throws a Refusal when a comment would go with it. */
export function removeMember(text: string, object: Node, property: Node, at: string): string {
  const start = property.offset;
  const end = endOf(property);
  if (scanPieces(text, start, end).some(({ kind }) => kind === 'comment')) {
    throw new Refusal(`${at} holds a comment, which would be lost`, {
      hint: 'move it away first, nothing was changed',
    });
  }
  const children = object.children ?? [];
  const index = children.indexOf(property);
  const next = children[index + 1];
  const limit = next === undefined ? endOf(object) - 1 : next.offset;
  const following = scanPieces(text, end, limit).find(({ kind }) => kind === 'comma');
  if (following !== undefined) {
    const isDirect = text.slice(end, following.offset).trim() === '';
    if (isDirect) return cutWithLine(text, start, following.end);
    return cutWithLine(cut(text, following.offset, following.end, ''), start, end);
  }
  const shortened = cutWithLine(text, start, end);
  const previous = children[index - 1];
  // The member before is the last one now: its comma, which stands before the range, goes too.
  const comma =
    previous === undefined
      ? undefined
      : scanPieces(text, endOf(previous), start).find(({ kind }) => kind === 'comma');
  return comma === undefined ? shortened : cut(shortened, comma.offset, comma.end, '');
}

interface Layout {
  readonly eol: string;
  readonly unit: string;
  /** Of the line on which the value begins; undefined: everything on one line. */
  readonly indent: string | undefined;
}

function writeValue(value: unknown, { eol, unit, indent }: Layout): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, undefined, unit).replace(/\n/g, () => eol + indent);
}

function insertLast(text: string, container: Node, write: (layout: Layout) => string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const outer = indentOf(text, container.offset);
  const last = container.children?.at(-1);
  const close = endOf(container) - 1;
  if (last === undefined) {
    const open = container.offset + 1;
    const indent = outer + unit;
    const inner = text.slice(open, close);
    const tail = inner.includes('\n') && inner.trim() !== '' ? inner : `${inner.trimEnd()}${eol}${outer}`;
    return cut(text, open, close, `${eol}${indent}${write({ eol, unit, indent })}${tail}`);
  }
  const lastEnd = endOf(last);
  const isInline = !text.slice(container.offset, close).includes('\n');
  const { position, hasComma } = findPlaceAfter(text, lastEnd, close);
  const indent = isInline ? undefined : indentOfItem(text, last, outer + unit);
  const item = write({ eol, unit, indent });
  const inserted = cut(
    text,
    position,
    position,
    indent === undefined ? ` ${item}` : `${eol}${indent}${item}`,
  );
  return hasComma ? inserted : cut(inserted, lastEnd, lastEnd, ',');
}

/** Behind the last item and the comments on its line, which belong to it. */
function findPlaceAfter(
  text: string,
  lastEnd: number,
  close: number,
): { position: number; hasComma: boolean } {
  let position = lastEnd;
  let hasComma = false;
  let isSameLine = true;
  for (const { kind, end } of scanPieces(text, lastEnd, close)) {
    if (kind === 'break') isSameLine = false;
    else if (kind === 'comma') {
      hasComma = true;
      position = end;
    } else if (isSameLine) position = end;
  }
  return { position, hasComma };
}

function indentOfItem(text: string, item: Node, fallback: string): string {
  const before = text.slice(text.lastIndexOf('\n', item.offset - 1) + 1, item.offset);
  return before.trim() === '' ? before : fallback;
}

function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Cuts a range; a line of which nothing is left goes whole. */
function cutWithLine(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const isAlone =
    text.slice(lineStart, start).trim() === '' && lineEnd !== -1 && text.slice(end, lineEnd).trim() === '';
  if (isAlone && lineStart > 0) return cut(text, lineStart, lineEnd + 1, '');
  const blanks = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return cut(text, start, end + blanks, '');
}

function cut(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
