import { z } from 'zod';
import { Refusal } from '../errors/refusal.js';
import { measureOnLine } from './line-budget.js';

/** Where the next page begins, and a mark of the listing that it belongs to. */
export interface Cursor {
  readonly skills: number;
  readonly problems: number;
  readonly listing: string;
}

const Encoded = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative(), z.string()]);

/** Longest cursor that can have been issued, characters. */
const MAX_CURSOR_CHARACTERS = 200;

/** A cursor as the opaque text that a caller hands back. */
export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.skills, cursor.problems, cursor.listing])).toString('base64url');
}

/** Reads a cursor of this very listing. Throws a Refusal for anything else. */
export function readCursor(text: string | undefined, listing: string): Cursor {
  if (text === undefined) return { skills: 0, problems: 0, listing };
  const parsed = Encoded.safeParse(decode(text));
  if (!parsed.success) {
    throw new Refusal('cursor: not one that skill_list has returned', {
      hint: 'start again without a cursor',
    });
  }
  const [skills, problems, mark] = parsed.data;
  if (mark !== listing) {
    throw new Refusal('cursor: the skills have changed since it was returned', {
      hint: 'start again without a cursor',
    });
  }
  return { skills, problems, listing };
}

/** Items from `start` on: at most `limit`, and no more than fit into `budget` bytes on the line, but one at least. */
export function takePage<T>(items: readonly T[], start: number, limit: number, budget: number): readonly T[] {
  const page: T[] = [];
  let bytes = 0;
  for (const item of items.slice(start, start + limit)) {
    bytes += measureOnLine(item);
    if (page.length > 0 && bytes > budget) break;
    page.push(item);
  }
  return page;
}

function decode(text: string): unknown {
  if (text.length > MAX_CURSOR_CHARACTERS) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
