import type { Finder, FindScope } from '../find.js';
import type { LabelledRequest, Split } from './request.js';
import { type Measure, type Outcome, type Tally, tally } from './tally.js';

/** Candidates that are asked for: enough for every measure. */
const LIMIT = 10;

/** One setting of the gate and what it would have given. */
export type SweepRow = { readonly threshold: number } & Readonly<Record<Measure, number>>;

/** How well tasks are answered, over all of them and over each half. */
export interface Evaluation {
  /** Requests that were counted. */
  readonly requests: number;
  /** Requests whose skill is not in the catalog; they say nothing about finding. */
  readonly skipped: number;
  readonly skills: number;
  /** Names of what answered, each with how often. */
  readonly rankers: Readonly<Record<string, number>>;
  readonly splits: Readonly<Record<'all' | Split, Tally>>;
  /** Counts over the rows to tune on, or over all where there are none. */
  readonly sweep?: readonly SweepRow[];
}

interface Judged extends Outcome {
  readonly split: Split;
  readonly ranker: string;
}

/** Asks every request and counts. Of a request whose skill is not in the catalog nothing is asked. */
export async function evaluate(
  requests: readonly LabelledRequest[],
  scope: FindScope,
  finder: Finder,
  signal: AbortSignal,
): Promise<Evaluation> {
  const judged: Judged[] = [];
  const usable = keepUsable(requests, scope);
  for (const { task, gold, split } of usable) {
    const answer = await finder.find({ task, limit: LIMIT, signal }, scope);
    judged.push({
      gold,
      split,
      suggestion: answer.suggestion,
      ranker: answer.ranker,
      candidates: answer.candidates.map(({ id }) => id),
    });
  }
  const half = (split: Split) => judged.filter((one) => one.split === split);
  return {
    requests: usable.length,
    skipped: requests.length - usable.length,
    skills: scope.skills.length,
    rankers: countRankers(judged),
    splits: { all: tally(judged), tune: tally(half('tune')), test: tally(half('test')) },
  };
}

/** Requests without a skill, and those whose skill is in the catalog. */
export function keepUsable(requests: readonly LabelledRequest[], { skills }: FindScope): LabelledRequest[] {
  const names = new Set(skills.map(({ name }) => name));
  return requests.filter(({ gold }) => gold === null || names.has(gold));
}

function countRankers(judged: readonly Judged[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { ranker } of judged) counts.set(ranker, (counts.get(ranker) ?? 0) + 1);
  return Object.fromEntries(counts);
}
