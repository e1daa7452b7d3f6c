import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bm25fBuilder } from '../../src/find/bm25f.js';
import { gateThreshold, gateValue, weighEvidence } from '../../src/find/gate.js';

describe('the gate', () => {
  it('multiplies the rare evidence that agrees with the share of the request that it explains', () => {
    const ranked = [
      { id: 'a', score: 6, matched: ['rare'] },
      { id: 'b', score: 4, matched: [] },
    ];
    const evidence = weighEvidence(ranked, { idfMax: 5, attainable: 12 });
    expect(evidence).toEqual({ strength: 1.2, coverage: 0.5, margin: 1.5, matchedTerms: ['rare'] });
    expect(gateValue(evidence)).toBeCloseTo(0.6, 12);
  });

  it('is zero, never NaN, without words or skills', () => {
    const nothing = { strength: 0, coverage: 0, margin: null, matchedTerms: [] };
    expect(weighEvidence([], { idfMax: 1, attainable: 0 })).toEqual(nothing);
    expect(gateValue(weighEvidence([], { idfMax: 0, attainable: 0 }))).toBe(0);
    const only = { id: 'a', score: 1, matched: [] };
    expect(gateValue(weighEvidence([only], { idfMax: 0, attainable: 0 }))).toBe(0);
    expect(weighEvidence([only], { idfMax: 1, attainable: 4 }).margin).toBeNull();
  });

  it('asks for more in a larger catalog', () => {
    expect(gateThreshold(1)).toBeCloseTo(0.3, 12);
    expect(gateThreshold(343)).toBeCloseTo(0.3 + 0.1 * Math.log(343), 12);
    expect(gateThreshold(0)).toBeCloseTo(0.3, 12);
  });

  it('weighs any request in any catalog with finite numbers, and never explains more than all of it', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '-', 'A', '1', '中', 'é', '"'),
      maxLength: 30,
    });
    const documents = fc.array(fc.record({ name: text, description: text, body: text }), { maxLength: 6 });
    fc.assert(
      fc.property(documents, text, (skills, task) => {
        const builder = new Bm25fBuilder();
        for (const [position, skill] of skills.entries()) builder.add({ ...skill, id: `s${position}` });
        const { ranked, worth } = builder.build().search(task, 2);
        const { strength, coverage, margin } = weighEvidence(ranked, worth);
        for (const number of [strength, coverage, margin ?? 0]) expect(Number.isFinite(number)).toBe(true);
        expect(coverage).toBeLessThan(1);
        expect(margin ?? 1).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
