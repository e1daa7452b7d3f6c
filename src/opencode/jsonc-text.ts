import { isDeepStrictEqual } from 'node:util';
import { createScanner, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describeParseError } from '../config/json-document.js';
import { Refusal } from '../errors/refusal.js';

// The scanner's kinds of token are a const enum, which does not survive the compilation of single files.
const TOKEN = {
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  end: 17,
} as const;

/** One piece of a text that means nothing as a value. */
export interface Piece {
  readonly kind: 'comma' | 'comment' | 'break';
  readonly offset: number;
  readonly end: number;
}

/** Parses JSON with comments and trailing commas; throws a Refusal that says where it is broken. */
export function parseJsonc(text: string): Node {
  const errors: ParseError[] = [];
  // A byte order mark is blanked out, so that every offset stays.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    const line = text.slice(0, error?.offset ?? 0).split('\n').length;
    const what = error === undefined ? 'it is empty' : `${describeParseError(error)} in line ${line}`;
    throw new Refusal(`the OpenCode config cannot be parsed: ${what}`, { hint: 'nothing was changed' });
  }
  return root;
}

/** The member of an object, as property node and value node. Throws a Refusal when the name stands there twice. */
export function findMember(
  object: Node,
  key: string,
  at: string,
): { readonly property: Node; readonly value: Node } | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  const [property] = found;
  const value = property?.children?.[1];
  if (found.length > 1) {
    throw new Refusal(`${at} stands twice in the OpenCode config`, {
      hint: 'remove one of them, nothing was changed',
    });
  }
  return property === undefined || value === undefined ? undefined : { property, value };
}

/** The value of a node as plain JSON. */
export function readValue(node: Node): unknown {
  // The library's objects have no prototype, by which they would differ from any of ours.
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

/** True when both are the same JSON, whatever the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

/** Commas, comments and line breaks from an offset to the bracket that closes, or to `end`. */
export function scanPieces(text: string, from: number, end: number): readonly Piece[] {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const pieces: Piece[] = [];
  for (;;) {
    const token: number = scanner.scan();
    const offset = scanner.getTokenOffset();
    if (token === TOKEN.end || offset >= end) return pieces;
    const kind = kindOf(token);
    if (kind !== undefined) pieces.push({ kind, offset, end: offset + scanner.getTokenLength() });
  }
}

function kindOf(token: number): Piece['kind'] | undefined {
  if (token === TOKEN.comma) return 'comma';
  if (token === TOKEN.lineComment || token === TOKEN.blockComment) return 'comment';
  return token === TOKEN.lineBreak ? 'break' : undefined;
}
