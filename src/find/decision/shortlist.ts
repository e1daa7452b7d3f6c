import { type ChosenSkill, chooseSkill } from './choose-skill.js';
import { concludeClosed, concludeOpen } from './conclude.js';
import { GATE_QUESTIONS, opensGate } from './gate-questions.js';
import type { Judgement, Scored, Verdict } from './judgement.js';

/**
 * One request: the lexical ranker's best skills are read closely, together with the questions of the gate. The right
 * skill is among twenty in 97 of 100 cases up to some five hundred skills.
 */
export async function judgeShortlist(judgement: Judgement): Promise<Verdict> {
  const { model, task, thresholds, signal, skills, ranked } = judgement;
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const shortlist = ranked.flatMap(({ id, score }) => {
    const skill = byName.get(id);
    return skill === undefined ? [] : [{ skill, score }];
  });
  if (shortlist.length === 0) {
    const answers = await model.decide({ state: task, questions: GATE_QUESTIONS }, signal);
    if (!opensGate(answers, thresholds)) return concludeClosed([]);
    return {
      needsSkill: true,
      suggestion: null,
      reason: 'no skill shares a word with the task',
      candidates: [],
    };
  }
  const chosen = await chooseSkill(
    judgement,
    shortlist.map(({ skill }) => skill),
    GATE_QUESTIONS,
    (answers) => opensGate(answers, thresholds),
  );
  const candidates = orderCandidates(shortlist, chosen);
  return opensGate(chosen.answers, thresholds)
    ? concludeOpen(chosen, thresholds, candidates)
    : concludeClosed(candidates);
}

/** The picked skill first, then by what the model believes, then as the lexical ranker had them. */
function orderCandidates(shortlist: readonly Scored[], { choice, skill, fits }: ChosenSkill): Scored[] {
  const belief = choice.probabilities ?? (fits.size === shortlist.length ? fits : undefined);
  const scored = shortlist.map((entry) => ({
    skill: entry.skill,
    score: belief === undefined ? entry.score : (belief.get(entry.skill.name) ?? 0),
  }));
  return scored.sort((a, b) => Number(b.skill === skill) - Number(a.skill === skill) || b.score - a.score);
}
