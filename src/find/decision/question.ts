/** The option that fits when no other does; no skill can be called so. */
export const NONE = '(none)';

/** Pick one: options with what each of them means. */
export interface ChoiceQuestion {
  readonly kind: 'choice';
  readonly instructions: string;
  readonly options: ReadonlyMap<string, string>;
}

/** How likely is it that this holds? */
export interface YesNoQuestion {
  readonly kind: 'yes-no';
  readonly instructions: string;
  /** What counts as yes, and what as no. */
  readonly yes?: string;
  readonly no?: string;
}

export type Question = ChoiceQuestion | YesNoQuestion;

/** What a model picked, and how it spread its belief where it tells. */
export interface ChoiceAnswer {
  readonly kind: 'choice';
  /** One of the options. */
  readonly choice: string;
  /** Option → 0 to 1. */
  readonly probabilities?: ReadonlyMap<string, number>;
}

export interface YesNoAnswer {
  readonly kind: 'yes-no';
  /** Of yes, 0 to 1. */
  readonly probability: number;
}

export type Answer = ChoiceAnswer | YesNoAnswer;

/** Questions about one state, each under an id of our own. */
export interface DecisionRequest {
  /** What the questions are about: the task. */
  readonly state: string;
  readonly questions: ReadonlyMap<string, Question>;
}

/** A model that answers such questions. */
export interface DecisionModel {
  /** True when all questions travel in one request, so that asking more of them costs no time. */
  readonly asksTogether: boolean;
  /** One valid answer to each question. Throws a DecisionFailure for anything else. */
  decide(request: DecisionRequest, signal: AbortSignal): Promise<ReadonlyMap<string, Answer>>;
}

/** The probability of yes of a question that was asked. */
export function probabilityOf(answers: ReadonlyMap<string, Answer>, id: string): number {
  const answer = answers.get(id);
  if (answer?.kind !== 'yes-no') throw new DecisionFailure(`no answer to the question ${id}`);
  return answer.probability;
}

/** The option that was picked at a question that was asked. */
export function choiceOf(answers: ReadonlyMap<string, Answer>, id: string): ChoiceAnswer {
  const answer = answers.get(id);
  if (answer?.kind !== 'choice') throw new DecisionFailure(`no answer to the question ${id}`);
  return answer;
}

/**
 * Why a decision model gave no usable answer, one line without keys and without anything that the other side said.
 */
export class DecisionFailure extends Error {
  override readonly name: string = 'DecisionFailure';
}

/** The time was over, or nobody waits any more. */
export class DecisionTimeout extends DecisionFailure {
  override readonly name = 'DecisionTimeout';
}
