import type { FindConfig } from '../config/find-config.js';
import { type Evidence, gateThreshold, gateValue, weighEvidence } from './gate.js';
import type { Ranked } from './ranker.js';
import type { IndexedSkills } from './skill-index.js';

/** What the lexical ranker makes of a task, before it is shown to anybody. */
export interface LexicalAnswer {
  /** Best first. */
  readonly ranked: readonly Ranked[];
  readonly evidence: Evidence;
  readonly suggestion: string | null;
  /** Why nothing is suggested. */
  readonly reason?: string;
}

/** Ranks the skills and decides whether the first one is suggested. `k` is how many are ranked, at least 2. */
export function answerLexically(
  task: string,
  k: number,
  { index, byName }: IndexedSkills,
  lexical: FindConfig['lexical'],
): LexicalAnswer {
  const { ranked, worth } = index.search(task, k);
  const evidence = weighEvidence(ranked, worth);
  const silent = (reason: string): LexicalAnswer => ({ ranked, evidence, suggestion: null, reason });
  const [first] = ranked;
  if (first === undefined) {
    return silent(
      worth.attainable === 0 ? 'the task holds no searchable word' : 'no skill shares a word with the task',
    );
  }
  if (index.size > lexical.maxSkills) {
    return silent(
      `nothing is suggested without a decision model in a catalog of more than ${lexical.maxSkills} skills (${index.size})`,
    );
  }
  const value = gateValue(evidence);
  const threshold = lexical.threshold ?? gateThreshold(index.size);
  if (value < threshold) {
    return silent(`no skill clearly fits: evidence ${value.toFixed(3)} of ${threshold.toFixed(3)} needed`);
  }
  if (byName.get(first.id)?.disableModelInvocation === true) {
    return silent(`${first.id} fits best, but only a person may call it (disable-model-invocation)`);
  }
  return { ranked, evidence, suggestion: first.id };
}
