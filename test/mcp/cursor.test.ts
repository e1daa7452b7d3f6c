import { describe, expect, it } from 'vitest';
import { readCursor, takePage, writeCursor } from '../../src/mcp/cursor.js';

const marks = { skills: 'abc', problems: 'def' };

describe('a cursor', () => {
  it('comes back as it was written', () => {
    const cursor = { skills: 200, problems: 17 };
    expect(readCursor(writeCursor(cursor, marks), marks)).toEqual(cursor);
    expect(readCursor(undefined, marks)).toEqual({ skills: 0, problems: 0 });
  });

  it.each(['', 'x', 'bnVsbA', writeCursor({ skills: -1, problems: 0 }, marks), 'a'.repeat(5_000)])(
    'is refused when it was never issued: %.20s',
    (text) => {
      expect(() => readCursor(text, marks)).toThrow(/cursor/);
    },
  );

  it('is refused when the skills are others by now', () => {
    const old = writeCursor({ skills: 1, problems: 0 }, { ...marks, skills: 'old' });
    expect(() => readCursor(old, marks)).toThrow(/changed/);
  });

  it('begins the problems anew when there are others by now', () => {
    const old = writeCursor({ skills: 200, problems: 200 }, { ...marks, problems: 'old' });
    expect(readCursor(old, marks)).toEqual({ skills: 200, problems: 0 });
  });
});

describe('takePage', () => {
  it('ends at the limit or at the budget, with one item at least', () => {
    expect(takePage([1, 2, 3, 4], 1, 2, 1_000)).toEqual([2, 3]);
    expect(takePage(['aaaa', 'bbbb', 'cccc'], 0, 10, 20)).toEqual(['aaaa', 'bbbb']);
    expect(takePage(['a'.repeat(50)], 0, 10, 20)).toHaveLength(1);
    expect(takePage([1], 5, 10, 20)).toEqual([]);
  });
});
