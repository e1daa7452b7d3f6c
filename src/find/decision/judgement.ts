import type { Skill } from '../../skill/skill.js';
import type { Ranked } from '../ranker.js';
import type { DecisionModel } from './question.js';
import type { Thresholds } from './thresholds.js';

/** Everything that a strategy needs to judge one task. */
export interface Judgement {
  readonly model: DecisionModel;
  readonly thresholds: Thresholds;
  readonly task: string;
  /** All skills, in order of priority. */
  readonly skills: readonly Skill[];
  /** What the lexical ranker found, best first, at most 20. */
  readonly ranked: readonly Ranked[];
  /** Skills in one question where the whole catalog is judged. */
  readonly shardSize: number;
  /** Ends everything that is asked. */
  readonly signal: AbortSignal;
}

/** A skill and how much speaks for it. */
export interface Scored {
  readonly skill: Skill;
  readonly score: number;
}

/** What a decision model makes of a task. */
export interface Verdict {
  readonly needsSkill: boolean;
  readonly suggestion: string | null;
  /** Why nothing is suggested. */
  readonly reason?: string;
  /** Best first. */
  readonly candidates: readonly Scored[];
}
