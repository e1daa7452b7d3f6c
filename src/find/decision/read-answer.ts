import { z } from 'zod';
import {
  type Answer,
  type ChoiceAnswer,
  type ChoiceQuestion,
  DecisionFailure,
  type Question,
  type YesNoAnswer,
} from './question.js';

const Probability = z.number().min(0).max(1);
const Distribution = z.record(z.string(), z.unknown());

const Answers = z.looseObject({ answers: z.record(z.string(), z.looseObject({})) });

/**
 * One answer to each question out of `{answers: {id: …}}`, read by `read`. Throws a DecisionFailure when the shape is
 * another or an answer is missing.
 */
export function readAnswers(
  body: unknown,
  questions: ReadonlyMap<string, Question>,
  read: (id: string, question: Question, given: Readonly<Record<string, unknown>>) => Answer,
): ReadonlyMap<string, Answer> {
  const parsed = Answers.safeParse(body);
  if (!parsed.success) throw new DecisionFailure('the answer has another shape than expected');
  const answers = new Map(Object.entries(parsed.data.answers));
  return new Map(
    [...questions].map(([id, question]) => {
      const given = answers.get(id);
      if (given === undefined) throw new DecisionFailure(`no answer to the question ${id}`);
      return [id, read(id, question, given)];
    }),
  );
}

/** A choice that was offered. Throws a DecisionFailure for any other, and for a probability outside 0 to 1. */
export function readChoice(
  id: string,
  question: ChoiceQuestion,
  choice: unknown,
  probabilities: unknown,
): ChoiceAnswer {
  if (choice === undefined) throw new DecisionFailure(`no answer to the question ${id}`);
  if (typeof choice !== 'string' || !question.options.has(choice)) {
    throw new DecisionFailure(`the answer to the question ${id} is none of its options`);
  }
  const distribution = Distribution.safeParse(probabilities);
  if (!distribution.success) return { kind: 'choice', choice };
  const given = new Map(Object.entries(distribution.data));
  const known = [...question.options.keys()].filter((option) => given.has(option));
  if (known.length === 0) return { kind: 'choice', choice };
  return {
    kind: 'choice',
    choice,
    probabilities: new Map(known.map((option) => [option, readNumber(id, given.get(option))])),
  };
}

/** A probability of yes. Throws a DecisionFailure for a missing one and for one outside 0 to 1. */
export function readYesNo(id: string, probability: unknown): YesNoAnswer {
  return { kind: 'yes-no', probability: readNumber(id, probability) };
}

function readNumber(id: string, value: unknown): number {
  if (value === undefined) throw new DecisionFailure(`no answer to the question ${id}`);
  const parsed = Probability.safeParse(value);
  if (!parsed.success) throw new DecisionFailure(`the answer to the question ${id} is no number from 0 to 1`);
  return parsed.data;
}
