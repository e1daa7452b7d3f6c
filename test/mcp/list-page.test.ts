import { describe, expect, it } from 'vitest';
import { readPosition, takeListPage, writePosition } from '../../src/mcp/list-page.js';

const entries = (count: number, size = 1) =>
  Array.from({ length: count }, (_, n) => ({
    key: String(n).padStart(6, '0'),
    value: { n, text: 'é'.repeat(size) },
  }));

describe('pages of a list [surfaces.pages]', () => {
  it('hold everything once, each under 1 MiB', () => {
    const all = entries(5_000, 400);
    const seen: number[] = [];
    let pages = 0;
    let after: string | undefined;
    do {
      const rest = all.filter(({ key }) => after === undefined || key > after);
      const { values, next } = takeListPage(rest);
      expect(Buffer.byteLength(JSON.stringify(values))).toBeLessThan(1024 * 1024);
      seen.push(...values.map(({ n }) => n));
      pages += 1;
      after = readPosition(next.nextCursor);
    } while (after !== undefined);
    expect(pages).toBeGreaterThan(4);
    expect(seen).toEqual(all.map(({ value }) => value.n));
  });

  it('hold at most 1,000 entries, and one at least', () => {
    expect(takeListPage(entries(1_001)).values).toHaveLength(1_000);
    expect(takeListPage(entries(2, 600_000)).values).toHaveLength(1);
    expect(takeListPage([])).toEqual({ values: [], next: {} });
  });

  it('begin at a cursor that was returned, and at no other', () => {
    expect(readPosition(undefined)).toBeUndefined();
    expect(readPosition(writePosition('技能\0a b'))).toBe('技能\0a b');
    for (const cursor of ['', 'x', Buffer.from('000001').toString('base64url'), 'y'.repeat(10_000)]) {
      expect(() => readPosition(cursor)).toThrow(/Invalid cursor/);
    }
  });
});
