import type { ChosenSkill } from './choose-skill.js';
import type { Scored, Verdict } from './judgement.js';
import type { Thresholds } from './thresholds.js';

/** A verdict for a task that needs no skill; the candidates are there for whoever disagrees. */
export function concludeClosed(candidates: readonly Scored[]): Verdict {
  return { needsSkill: false, suggestion: null, reason: 'the task needs no skill', candidates };
}

/** A verdict for a task that needs one: the picked skill, if it fits well enough. */
export function concludeOpen(
  { skill, fits }: ChosenSkill,
  thresholds: Thresholds,
  candidates: readonly Scored[],
): Verdict {
  const silent = (reason: string): Verdict => ({ needsSkill: true, suggestion: null, reason, candidates });
  if (skill === undefined) return silent('none of the skills fits');
  const fit = fits.get(skill.name) ?? 0;
  if (fit < thresholds.fits) {
    return silent(
      `${skill.name} comes closest, but fits with ${fit.toFixed(2)} of ${thresholds.fits} needed`,
    );
  }
  if (skill.disableModelInvocation) {
    return silent(`${skill.name} fits best, but only a person may call it (disable-model-invocation)`);
  }
  return { needsSkill: true, suggestion: skill.name, candidates };
}
