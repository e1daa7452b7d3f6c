import type { RequestWorth } from './bm25f.js';
import type { Ranked } from './ranker.js';

/** How well the best skill is supported by the request. All numbers are finite. */
export interface Evidence {
  /** The score in units of the rarest possible word; no upper bound. */
  readonly strength: number;
  /** Share of what the request could score, from 0 to below 1. */
  readonly coverage: number;
  /** How many times the second skill's score; null without a second one. */
  readonly margin: number | null;
  /** The request's own words that the best skill holds, rarest first. */
  readonly matchedTerms: readonly string[];
}

/** Weighs the best skill of an answer; all zero for an empty one. */
export function weighEvidence(ranked: readonly Ranked[], worth: RequestWorth): Evidence {
  const [first, second] = ranked;
  if (first === undefined) return { strength: 0, coverage: 0, margin: null, matchedTerms: [] };
  return {
    strength: worth.idfMax > 0 ? first.score / worth.idfMax : 0,
    coverage: worth.attainable > 0 ? first.score / worth.attainable : 0,
    margin: second === undefined ? null : first.score / second.score,
    matchedTerms: first.matched,
  };
}

/** How much rare evidence agrees, times the share of the request that it explains. */
export function gateValue(evidence: Evidence): number {
  return evidence.strength * evidence.coverage;
}

/** The least gate value of a suggestion. Chance agreement grows with the number of skills, and so does this. */
export function gateThreshold(skills: number): number {
  return 0.3 + 0.1 * Math.log(Math.max(1, skills));
}
