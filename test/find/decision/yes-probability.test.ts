import { describe, expect, it } from 'vitest';
import { readYesProbability } from '../../../src/find/decision/yes-probability.js';

function logprobs(tokens: Readonly<Record<string, number>>) {
  const top_logprobs = Object.entries(tokens).map(([token, p]) => ({ token, logprob: Math.log(p) }));
  return { content: [{ token: 'x', logprob: 0, top_logprobs }] };
}

describe('the likelihood of yes', () => {
  it('is that of all ways to write it, against no alone', () => {
    expect(readYesProbability(logprobs({ Yes: 0.3, ' yes': 0.3, no: 0.2, maybe: 0.2 }), 'no')).toBeCloseTo(
      0.75,
      9,
    );
    expect(readYesProbability(logprobs({ NO: 0.5 }), '')).toBe(0);
  });

  it('is the word itself where a server tells no likelihoods', () => {
    for (const none of [undefined, null, {}, { content: [] }, { content: null }, logprobs({})]) {
      expect(readYesProbability(none, ' Yes.')).toBe(1);
      expect(readYesProbability(none, 'no')).toBe(0);
      expect(readYesProbability(none, 'perhaps')).toBeUndefined();
    }
  });

  it('is none when neither word is likely', () => {
    expect(readYesProbability(logprobs({ maybe: 0.9, the: 0.1 }), 'yes')).toBeUndefined();
  });
});
