import { resample } from './bootstrap.js';

/** One request and what was answered to it. */
export interface Outcome {
  readonly gold: string | null;
  readonly suggestion: string | null;
  /** Candidates, best first. */
  readonly candidates: readonly string[];
}

/** What can be said of one answer; exactly one holds for a covered request. */
export const MEASURES = ['right', 'wrong', 'silent', 'needless'] as const;
export type Measure = (typeof MEASURES)[number];

/** Counts over some requests, and between which shares the truth lies with 95 % confidence. */
export interface Tally {
  /** Requests that a skill is right for, and requests that none is. */
  readonly covered: number;
  readonly uncovered: number;
  /** Of the covered ones: the right skill, another one, none. */
  readonly right: number;
  readonly wrong: number;
  readonly silent: number;
  /** Of the uncovered ones: a skill all the same. */
  readonly needless: number;
  /** Of the covered ones: the right skill is the first candidate, or among the first three. */
  readonly hit1: number;
  readonly hit3: number;
  /** The four counts as shares of the covered or the uncovered, 0 to 1. */
  readonly rates: Readonly<Record<Measure, number>>;
  readonly intervals: Readonly<Record<Measure, readonly [number, number]>>;
}

/** Counts outcomes. `rounds` bootstrap samples make the intervals; the same outcomes give the same numbers. */
export function tally(outcomes: readonly Outcome[], rounds = 1_000): Tally {
  const covered = outcomes.filter(({ gold }) => gold !== null);
  const uncovered = outcomes.filter(({ gold }) => gold === null);
  const marks = {
    right: covered.map(({ gold, suggestion }) => suggestion === gold),
    wrong: covered.map(({ gold, suggestion }) => suggestion !== null && suggestion !== gold),
    silent: covered.map(({ suggestion }) => suggestion === null),
    needless: uncovered.map(({ suggestion }) => suggestion !== null),
  };
  const { right, wrong, silent, needless } = marks;
  return {
    covered: covered.length,
    uncovered: uncovered.length,
    right: count(right),
    wrong: count(wrong),
    silent: count(silent),
    needless: count(needless),
    hit1: countHits(covered, 1),
    hit3: countHits(covered, 3),
    rates: {
      right: share(right),
      wrong: share(wrong),
      silent: share(silent),
      needless: share(needless),
    },
    intervals: {
      right: resample(right, rounds),
      wrong: resample(wrong, rounds),
      silent: resample(silent, rounds),
      needless: resample(needless, rounds),
    },
  };
}

function countHits(covered: readonly Outcome[], depth: number): number {
  return count(
    covered.map(({ gold, candidates }) => gold !== null && candidates.slice(0, depth).includes(gold)),
  );
}

function count(marks: readonly boolean[]): number {
  return marks.filter(Boolean).length;
}

function share(marks: readonly boolean[]): number {
  return marks.length === 0 ? 0 : Math.round((count(marks) / marks.length) * 1_000) / 1_000;
}
