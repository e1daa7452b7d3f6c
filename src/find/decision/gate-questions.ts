import { type Answer, probabilityOf, type Question } from './question.js';
import type { Thresholds } from './thresholds.js';

/** Whether a task calls for a skill at all: three views of one thing, the second one inverted, and a different one. */
export const GATE_QUESTIONS: ReadonlyMap<string, Question> = new Map<string, Question>([
  [
    'procedure',
    {
      kind: 'yes-no',
      instructions:
        'Would somebody who does this task well follow a particular procedure or set of conventions?',
      yes: 'There are steps, rules or tools of their own for this kind of task.',
      no: 'General knowledge is all that it takes.',
    },
  ],
  [
    'general',
    {
      kind: 'yes-no',
      instructions:
        'Can this task be done well from general knowledge alone, without written instructions for it?',
      yes: 'It is a plain question, small talk or an everyday edit.',
      no: 'Instructions made for this kind of task would change the result.',
    },
  ],
  [
    'guide',
    {
      kind: 'yes-no',
      instructions: 'Would a written guide for exactly this kind of task make the result clearly better?',
      yes: 'The task is specialised enough to have such a guide.',
      no: 'The task is too general or too simple for one.',
    },
  ],
  [
    'named',
    {
      kind: 'yes-no',
      instructions:
        'Does the task name a particular tool, file format, template, product or method to work with?',
      yes: 'It names one.',
      no: 'It names none.',
    },
  ],
]);

/** True when the task calls for a skill: by what it needs, or by what it names. */
export function opensGate(answers: ReadonlyMap<string, Answer>, thresholds: Thresholds): boolean {
  const procedure = probabilityOf(answers, 'procedure');
  const general = probabilityOf(answers, 'general');
  const guide = probabilityOf(answers, 'guide');
  const action = (procedure + (1 - general) + guide) / 3;
  return action >= thresholds.action || probabilityOf(answers, 'named') >= thresholds.named;
}
