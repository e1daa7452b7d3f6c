import { z } from 'zod';
import { Refusal } from '../errors/refusal.js';
import { measureOnLine } from './line-budget.js';

/** Where the next page begins. */
export interface Cursor {
  readonly skills: number;
  readonly problems: number;
}

/** Short marks of the two lists that a cursor points into: another mark, another list. */
export interface Marks {
  readonly skills: string;
  readonly problems: string;
}

const position = z.number().int().nonnegative();
const Encoded = z.tuple([position, z.string(), position, z.string()]);

/** Longest cursor that can have been issued, characters. */
const MAX_CURSOR_CHARACTERS = 200;

/** A cursor as the opaque text that a caller hands back. */
export function writeCursor(cursor: Cursor, marks: Marks): string {
  const encoded = [cursor.skills, marks.skills, cursor.problems, marks.problems] satisfies z.infer<
    typeof Encoded
  >;
  return Buffer.from(JSON.stringify(encoded)).toString('base64url');
}

/**
 * Reads a cursor of these lists; without one, both begin at the start. Throws a Refusal when the skills are others by
 * now. Problems can still come in while somebody pages: they begin anew then, since one shown twice does no harm.
 */
export function readCursor(text: string | undefined, marks: Marks): Cursor {
  if (text === undefined) return { skills: 0, problems: 0 };
  const parsed = Encoded.safeParse(decode(text));
  if (!parsed.success) {
    throw new Refusal('cursor: not one that skill_list has returned', {
      hint: 'start again without a cursor',
    });
  }
  const [skills, skillsMark, problems, problemsMark] = parsed.data;
  if (skillsMark !== marks.skills) {
    throw new Refusal(
      'cursor: the skills have changed since it was returned, or it belongs to another query',
      {
        hint: 'start again without a cursor',
      },
    );
  }
  return { skills, problems: problemsMark === marks.problems ? problems : 0 };
}

/** Where a cursor points, whatever the lists are by now; the start for none and for one that cannot be read. */
export function peekCursor(text: string | undefined): Cursor {
  const parsed = Encoded.safeParse(text === undefined ? undefined : decode(text));
  return parsed.success ? { skills: parsed.data[0], problems: parsed.data[2] } : { skills: 0, problems: 0 };
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
