import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToLine, measureOnLine } from '../../src/mcp/line-budget.js';

describe('the size of a text on the line', () => {
  it('counts what doubly escaped JSON takes', () => {
    const base = measureOnLine('');
    expect(measureOnLine('\u001b') - base).toBe(7);
    expect(measureOnLine('"') - base).toBe(4);
    expect(measureOnLine('a') - base).toBe(1);
    expect(measureOnLine('é') - base).toBe(2);
  });

  it('is kept by a cut, which takes as much as fits and never half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 6, max: 300 }),
        (text, budget) => {
          const cut = cutToLine(text, budget);
          expect(text.startsWith(cut)).toBe(true);
          expect(/\p{Surrogate}/u.test(cut)).toBe(false);
          expect(measureOnLine(cut)).toBeLessThanOrEqual(Math.max(budget, measureOnLine('')));
          const [next = ''] = text.slice(cut.length);
          if (next !== '') expect(measureOnLine(cut + next)).toBeGreaterThan(budget);
        },
      ),
    );
  });
});
