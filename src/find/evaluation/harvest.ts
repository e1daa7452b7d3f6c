import { z } from 'zod';
import { Refusal } from '../../errors/refusal.js';
import { readBundleFile } from '../../skill/read-file.js';
import type { Skill } from '../../skill/skill.js';
import { type LabelledRequest, splitOf } from './request.js';

/** Names under which authors ship requests with their skills. */
const EVAL_FILE = /(?:^|\/)(?:evals|trigger_eval)\.json$/;

const MAX_FILE_BYTES = 1024 * 1024;

/** Prompts that all belong to one skill. */
const Prompts = z.looseObject({
  skill_name: z.string(),
  evals: z.array(z.looseObject({ prompt: z.string() })),
});
/** Questions, each with the skill that its author expects, or none. */
const Questions = z.array(z.looseObject({ question: z.string(), expected_skill: z.string().nullable() }));
/** Queries that should lead to the skill they stand in, or should not. */
const Queries = z.array(z.looseObject({ query: z.string(), should_trigger: z.boolean() }));

/** Requests out of skills' own files, and one line about each file that could not be used. */
export interface Harvest {
  readonly requests: readonly LabelledRequest[];
  readonly problems: readonly string[];
}

/** Collects the labelled requests that skills bring along. A bad file costs itself. */
export async function harvestRequests(skills: readonly Skill[]): Promise<Harvest> {
  const requests: LabelledRequest[] = [];
  const problems: string[] = [];
  for (const skill of skills) {
    for (const { path } of skill.files) {
      if (!EVAL_FILE.test(path)) continue;
      const read = await readEvalFile(skill, path);
      if (typeof read === 'string') problems.push(`${skill.name}/${path}: ${read}`);
      else requests.push(...read);
    }
  }
  return { requests, problems };
}

async function readEvalFile(skill: Skill, path: string): Promise<readonly LabelledRequest[] | string> {
  try {
    const { text, truncated } = await readBundleFile(skill, path, MAX_FILE_BYTES);
    if (text === undefined || truncated) return 'is no text, or over 1 MiB';
    return readShapes(JSON.parse(text.replace(/^\uFEFF/, '')), skill);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    if (error instanceof SyntaxError) return 'is not JSON';
    throw error;
  }
}

function readShapes(content: unknown, skill: Skill): readonly LabelledRequest[] | string {
  const prompts = Prompts.safeParse(content);
  if (prompts.success) return prompts.data.evals.flatMap(({ prompt }) => label(prompt, skill.name));
  const questions = Questions.safeParse(content);
  if (questions.success) {
    return questions.data.flatMap(({ question, expected_skill: gold }) => label(question, gold));
  }
  const queries = Queries.safeParse(content);
  if (queries.success) {
    return queries.data.flatMap(({ query, should_trigger: should }) =>
      label(query, should ? skill.name : null),
    );
  }
  return 'has none of the three known shapes';
}

function label(task: string, gold: string | null): LabelledRequest[] {
  return task.trim() === '' ? [] : [{ task, gold, split: splitOf(task) }];
}
