import { forListing } from '../errors/sanitize.js';
import type { Skill } from '../skill/skill.js';
import type { Evidence } from './gate.js';

/** Longest description in an answer, characters; load hands out the whole. */
const MAX_DESCRIPTION_CHARACTERS = 1_024;

/** One skill that may fit. */
export interface Candidate {
  readonly id: string;
  readonly description: string;
  /** What the candidates are ordered by; comparable within one answer only. */
  readonly score: number;
}

/** What `find` answers. */
export interface FindAnswer {
  /** What a decision model says of the task; null without one. */
  readonly needsSkill: boolean | null;
  /** The one skill to load, or null. */
  readonly suggestion: string | null;
  /** `bm25`, `bm25-fallback`, or the decision model that answered. */
  readonly ranker: string;
  /** Why there is no suggestion, or why another ranker answered than was asked for; one line. */
  readonly reason?: string;
  readonly candidates: readonly Candidate[];
  /** Of the lexical ranker. */
  readonly evidence?: Evidence;
}

/** A candidate as it is shown: safe text, a rounded score. */
export function showCandidate(skill: Skill, score: number): Candidate {
  return {
    id: skill.name,
    description: forListing(skill.description ?? '', MAX_DESCRIPTION_CHARACTERS),
    score: roundNumber(score),
  };
}

/** Evidence as it is shown. */
export function showEvidence({ strength, coverage, margin, matchedTerms }: Evidence): Evidence {
  return {
    strength: roundNumber(strength),
    coverage: roundNumber(coverage),
    margin: margin === null ? null : roundNumber(margin),
    matchedTerms,
  };
}

/** Three decimals: more would be noise in somebody's context. */
export function roundNumber(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Sentences of a reason on one line; undefined for none. */
export function joinReasons(reasons: readonly (string | undefined)[]): string | undefined {
  const given = reasons.filter((reason) => reason !== undefined);
  return given.length === 0 ? undefined : given.join('; ');
}
