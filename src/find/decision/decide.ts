import type { FindConfig } from '../../config/find-config.js';
import type { Skill } from '../../skill/skill.js';
import type { Ranked } from '../ranker.js';
import type { Verdict } from './judgement.js';
import { findProvider, openModel } from './providers.js';
import { DecisionTimeout } from './question.js';
import { judgeShards } from './shards.js';
import { judgeShortlist } from './shortlist.js';
import { chooseThresholds } from './thresholds.js';

/** Most of a task that a model is given, UTF-16 units: every further one costs money and time. */
const MAX_STATE_UNITS = 16_000;

/** What deciding needs of the process, handed in at composition. */
export interface DecisionParts {
  /** Where keys are looked for, by name. */
  readonly variables: ReadonlyMap<string, string>;
  /** A providers.json of the user's, absolute; it need not exist. */
  readonly providersFile: string;
}

/** One task to be decided. */
export interface DecisionTask {
  readonly model: string;
  readonly config: FindConfig;
  readonly task: string;
  readonly skills: readonly Skill[];
  /** The lexical ranker's best, at most 20. */
  readonly ranked: readonly Ranked[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Asks the configured decision model, within one deadline for all of its requests. Throws a DecisionFailure whenever
 * there is no usable answer.
 */
export async function decide(task: DecisionTask, parts: DecisionParts): Promise<Verdict> {
  const { model, config, skills, ranked } = task;
  const provider = await findProvider(model, parts.providersFile);
  const deadline = AbortSignal.timeout(config.timeoutMs);
  // One failure is a failure of all: whatever is still asked ends with it.
  const over = new AbortController();
  const judge = config.decision.strategy === 'shards' ? judgeShards : judgeShortlist;
  try {
    return await judge({
      model: openModel(model, provider, parts.variables),
      thresholds: chooseThresholds(config.decision.thresholds.get(model), provider.thresholds),
      task: task.task.slice(0, MAX_STATE_UNITS).toWellFormed(),
      skills,
      ranked,
      shardSize: config.shardSize,
      signal: AbortSignal.any([task.signal, deadline, over.signal]),
    });
  } catch (error) {
    if (!(error instanceof DecisionTimeout) || !deadline.aborted) throw error;
    throw new DecisionTimeout(`no answer within ${config.timeoutMs} ms`);
  } finally {
    over.abort();
  }
}
