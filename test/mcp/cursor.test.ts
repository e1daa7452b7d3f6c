import { describe, expect, it } from 'vitest';
import { readCursor, takePage, writeCursor } from '../../src/mcp/cursor.js';

describe('a cursor', () => {
  it('comes back as it was written', () => {
    const cursor = { skills: 200, problems: 17, listing: 'abc' };
    expect(readCursor(writeCursor(cursor), 'abc')).toEqual(cursor);
    expect(readCursor(undefined, 'abc')).toEqual({ skills: 0, problems: 0, listing: 'abc' });
  });

  it.each(['', 'x', 'bnVsbA', writeCursor({ skills: -1, problems: 0, listing: 'abc' }), 'a'.repeat(5_000)])(
    'is refused when it was never issued: %.20s',
    (text) => {
      expect(() => readCursor(text, 'abc')).toThrow(/cursor/);
    },
  );

  it('is refused when the listing is another one by now', () => {
    expect(() => readCursor(writeCursor({ skills: 1, problems: 0, listing: 'old' }), 'abc')).toThrow(
      /changed/,
    );
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
