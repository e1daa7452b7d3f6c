import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Bytes of the entries on one page: the whole answer stays under 1 MiB. */
const PAGE_BYTES = 900 * 1024;
const PAGE_ENTRIES = 1_000;

/** Longest cursor that can have been issued, characters: a name and a path of 1,024, as base64. */
const MAX_CURSOR_CHARACTERS = 8_192;
// Tells a cursor of ours from a text that happens to be base64.
const PREFIX = 'after:';

/** One entry of a long list. Keys ascend in code unit order. */
export interface ListEntry<Value> {
  readonly key: string;
  readonly value: Value;
}

/** A page as the protocol has it. */
export interface ListPage<Value> {
  readonly values: Value[];
  /** There only when something follows. */
  readonly next: { readonly nextCursor?: string };
}

/**
 * Takes a page from entries that begin where the last page ended. A cursor names the last entry that was shown, so a
 * list that changes meanwhile neither repeats nor skips what stayed.
 */
export function takeListPage<Value>(entries: Iterable<ListEntry<Value>>): ListPage<Value> {
  const values: Value[] = [];
  let last = '';
  let bytes = 0;
  for (const { key, value } of entries) {
    bytes += measure(value);
    const isFull = values.length >= PAGE_ENTRIES || bytes > PAGE_BYTES;
    if (isFull && values.length > 0) return { values, next: { nextCursor: writePosition(last) } };
    values.push(value);
    last = key;
  }
  return { values, next: {} };
}

/** Bytes that an entry takes on the line. */
export function measure(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** True when entries of that many bytes fill a page. */
export function fillsPage(bytes: number): boolean {
  return bytes > PAGE_BYTES;
}

/** The cursor after the entry with this key. */
export function writePosition(key: string): string {
  return Buffer.from(PREFIX + key).toString('base64url');
}

/** The key that a cursor stands for; undefined for the first page. Throws a protocol error when it is none of ours. */
export function readPosition(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const text = cursor.length > MAX_CURSOR_CHARACTERS ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
  if (text.startsWith(PREFIX)) return text.slice(PREFIX.length);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor: start again without one');
}
