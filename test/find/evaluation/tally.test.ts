import { describe, expect, it } from 'vitest';
import { resample } from '../../../src/find/evaluation/bootstrap.js';
import { tally } from '../../../src/find/evaluation/tally.js';

const outcome = (gold: string | null, suggestion: string | null, candidates: string[] = []) => ({
  gold,
  suggestion,
  candidates,
});

describe('the tally', () => {
  it('counts each kind of answer where it belongs', () => {
    const counted = tally([
      outcome('a', 'a', ['a', 'b']),
      outcome('a', 'b', ['b', 'c', 'a']),
      outcome('a', null, ['b', 'c', 'd', 'a']),
      outcome('a', null, []),
      outcome(null, null),
      outcome(null, 'b'),
    ]);
    expect(counted).toMatchObject({ covered: 4, uncovered: 2, right: 1, wrong: 1, silent: 2, needless: 1 });
    expect(counted).toMatchObject({ hit1: 1, hit3: 2 });
    expect(counted.rates).toEqual({ right: 0.25, wrong: 0.25, silent: 0.5, needless: 0.5 });
  });

  it('has no NaN for nothing', () => {
    expect(tally([])).toMatchObject({
      covered: 0,
      rates: { right: 0, needless: 0 },
      intervals: { right: [0, 0], needless: [0, 0] },
    });
  });
});

describe('the interval', () => {
  it('surrounds the share, narrows with more marks, and is the same twice', () => {
    const marks = (count: number) => Array.from({ length: count }, (_, position) => position % 4 === 0);
    const [low, high] = resample(marks(40), 1_000);
    const [closeLow, closeHigh] = resample(marks(4_000), 1_000);
    expect(low).toBeLessThan(0.25);
    expect(high).toBeGreaterThan(0.25);
    expect(closeLow).toBeGreaterThan(low);
    expect(closeHigh).toBeLessThan(high);
    // Two standard errors of a share of a quarter among 40.
    expect(high - low).toBeGreaterThan(0.2);
    expect(high - low).toBeLessThan(0.33);
    expect(resample(marks(40), 1_000)).toEqual([low, high]);
  });

  it('is a point where all marks agree', () => {
    expect(resample([true, true, true], 100)).toEqual([1, 1]);
    expect(resample([], 100)).toEqual([0, 0]);
  });
});
