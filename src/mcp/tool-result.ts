import type { CallToolResult } from '@modelcontextprotocol/server';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import { ENVELOPE_BYTES, MAX_LINE_BYTES } from './line-budget.js';
import type { Log } from './log.js';

/** Above this size of the text block on the line, bytes, an answer travels once: twice would cost too much. */
const MAX_TWOFOLD_BYTES = 256 * 1024;

/** Longest refusal, characters, without what is attached to it. */
const MAX_REFUSAL_CHARACTERS = 4_000;

/**
 * An answer as a tool result: `text`, by default compact JSON, in one text block and the same object as structured content, where
 * the bulky fields of a large answer are empty. Throws a Refusal when the line would be too long.
 */
export function formatAnswer(
  answer: Record<string, unknown>,
  bulkyFields: readonly string[],
  text = JSON.stringify(answer),
): CallToolResult {
  const isLarge = Buffer.byteLength(JSON.stringify(text)) > MAX_TWOFOLD_BYTES;
  const result = {
    content: [{ type: 'text' as const, text }],
    structuredContent: isLarge ? emptyFields(answer, new Set(bulkyFields)) : answer,
  };
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > MAX_LINE_BYTES - ENVELOPE_BYTES) {
    throw new Refusal(`the answer would be ${bytes} bytes, at most ${MAX_LINE_BYTES} fit on one line`, {
      hint: 'ask for less at a time: fewer paths, a smaller limit',
    });
  }
  return result;
}

/**
 * Whatever a tool threw, as a result with `isError`. A refusal keeps its words; anything else is a fault of this
 * program, whose message may hold anything and goes to the log only.
 */
export function formatFailure(error: unknown, tool: string, log: Log): CallToolResult {
  if (error instanceof Refusal) {
    log.debug(`${tool} refused: ${error.message}`);
    return failure(writeRefusal(error));
  }
  log.error(`${tool} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return failure('internal error: the call failed inside the server; its log on stderr has the details');
}

/** Code, message and hint on one line. What is attached follows verbatim: it is JSON for a program to read. */
function writeRefusal(refusal: Refusal): string {
  const code = refusal.code === undefined ? '' : `${refusal.code} `;
  const hint = refusal.hint === undefined ? '' : `; ${refusal.hint}`;
  const line = toOneLine(`${code}${refusal.message}${hint}`, MAX_REFUSAL_CHARACTERS);
  return refusal.attachment === undefined ? line : `${line} ${refusal.attachment}`;
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * A copy in which every string under one of the names, however deep, is empty; if that is not enough, as for a long
 * listing, the lists under these names too.
 */
function emptyFields(answer: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  const withoutTexts = emptyWhere(answer, (name, field) =>
    names.has(name) && typeof field === 'string' ? '' : undefined,
  );
  if (Buffer.byteLength(JSON.stringify(withoutTexts)) <= MAX_TWOFOLD_BYTES) return withoutTexts;
  return emptyWhere(withoutTexts, (name, field) =>
    names.has(name) && Array.isArray(field) ? [] : undefined,
  );
}

function emptyWhere(
  answer: Record<string, unknown>,
  empty: (name: string, field: unknown) => unknown,
): Record<string, unknown> {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    return typeof value === 'object' && value !== null ? copyObject(value) : value;
  };
  const copyObject = (value: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, empty(name, field) ?? copy(field)]),
    );
  return copyObject(answer);
}
