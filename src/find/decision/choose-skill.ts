import type { Skill } from '../../skill/skill.js';
import { readExcerpt } from '../read-excerpt.js';
import { describeOption } from './describe-option.js';
import {
  type Answer,
  type ChoiceAnswer,
  choiceOf,
  type DecisionModel,
  NONE,
  probabilityOf,
  type Question,
} from './question.js';

/** Characters of a body that a model reads of each skill on a shortlist. */
const SHOWN_BODY_CHARACTERS = 700;

/** What a model picked among a few skills that it read closely. */
export interface ChosenSkill {
  readonly choice: ChoiceAnswer;
  /** The skill that it picked; undefined when it picked none. */
  readonly skill: Skill | undefined;
  /** Probability that a skill fits, by id: of all when that costs no time, else of the picked one. */
  readonly fits: ReadonlyMap<string, number>;
  /** Answers to the further questions. */
  readonly answers: ReadonlyMap<string, Answer>;
}

/**
 * Lets a model choose among a few skills, with the beginning of their instructions in view, and asks whether each
 * of them fits. `further` questions travel along; when `goOn` says so after them, no fit is asked for separately.
 */
export async function chooseSkill(
  { model, task, signal }: { model: DecisionModel; task: string; signal: AbortSignal },
  skills: readonly Skill[],
  further: ReadonlyMap<string, Question> = new Map(),
  goOn: (answers: ReadonlyMap<string, Answer>) => boolean = () => true,
): Promise<ChosenSkill> {
  const texts = await Promise.all(
    skills.map(async ({ directory }) => readExcerpt(directory, SHOWN_BODY_CHARACTERS)),
  );
  const questions = new Map([['choice', askChoice(skills, texts)], ...further]);
  const fitQuestions = new Map(
    skills.map((skill, position) => [fitsId(skill), askFit(skill, texts[position] ?? '')]),
  );
  const first = model.asksTogether ? new Map([...questions, ...fitQuestions]) : questions;
  const answers = await model.decide({ state: task, questions: first }, signal);
  const choice = choiceOf(answers, 'choice');
  const skill = skills.find(({ name }) => name === choice.choice);
  const asked = model.asksTogether ? skills : skill !== undefined && goOn(answers) ? [skill] : [];
  const fitAnswers =
    model.asksTogether || asked.length === 0
      ? answers
      : await model.decide({ state: task, questions: pick(fitQuestions, asked) }, signal);
  const fits = new Map(asked.map((one) => [one.name, probabilityOf(fitAnswers, fitsId(one))]));
  return { choice, skill, fits, answers };
}

/** The question which of the skills fits best. */
export function askChoice(skills: readonly Skill[], texts: readonly string[]): Question {
  return {
    kind: 'choice',
    instructions: `Which of these skills was made for the task? Pick ${NONE} unless one of them clearly was.`,
    options: new Map([
      ...skills.map((skill, position): [string, string] => [
        skill.name,
        describeOption(skill, texts[position] ?? ''),
      ]),
      [NONE, 'None of these skills was made for this kind of task.'],
    ]),
  };
}

function askFit(skill: Skill, text: string): Question {
  return {
    kind: 'yes-no',
    instructions: `Is the skill "${skill.name}" made for this task? ${describeOption(skill, text)}`,
    yes: 'Its instructions cover what the task asks for.',
    no: 'It is for something else, or only touches the task.',
  };
}

function fitsId(skill: Skill): string {
  return `fits.${skill.name}`;
}

function pick(questions: ReadonlyMap<string, Question>, skills: readonly Skill[]): Map<string, Question> {
  const ids = new Set(skills.map(fitsId));
  return new Map([...questions].filter(([id]) => ids.has(id)));
}
