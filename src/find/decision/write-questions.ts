import type { Question } from './question.js';

/**
 * Questions as the decision protocols write them: a choice with a map of options, a yes-or-no question with what
 * counts as either. The protocols differ in their word for the latter.
 */
export function writeQuestions(
  questions: ReadonlyMap<string, Question>,
  yesNoType: 'noul' | 'boolean',
): Record<string, unknown> {
  return Object.fromEntries(
    [...questions].map(([id, question]) => [
      id,
      {
        type: question.kind === 'choice' ? 'choice' : yesNoType,
        instructions: question.instructions,
        criteria: writeCriteria(question),
      },
    ]),
  );
}

function writeCriteria(question: Question): Record<string, string> {
  if (question.kind === 'choice') return Object.fromEntries(question.options);
  const { yes, no } = question;
  return { ...(yes !== undefined && { true: yes }), ...(no !== undefined && { false: no }) };
}
