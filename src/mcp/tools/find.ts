import { z } from 'zod';
import type { ReadFindView } from '../../catalog/find-catalog.js';
import { Refusal } from '../../errors/refusal.js';
import type { Finder } from '../../find/find.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READS_WORLD } from './annotations.js';

const SHAPE = '{"task": "what you are about to do", "limit": 5}';

/** Candidates in an answer. */
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 10;

// What is written into these schemas stands in somebody's context at every step: no lengths, no descriptions.
const Input = z.strictObject({ task: z.string(), limit: z.number().optional() });

const Output = z.object({
  needsSkill: z.boolean().nullable(),
  suggestion: z.string().nullable(),
  ranker: z.string(),
  reason: z.string().optional(),
  candidates: z.array(z.object({ id: z.string(), description: z.string(), score: z.number() })),
  evidence: z.object({}).optional(),
});

export interface FindParts {
  readonly view: ReadFindView;
  readonly finder: Finder;
}

/** The tool that names the one skill for a task, or none, and a few that come close. */
export function makeFind({ view, finder }: FindParts): ToolDefinition {
  return {
    definition: {
      name: 'find',
      title: 'Find a skill',
      description: [
        'Find the skill for a task: call it before non-trivial work, then load the suggestion.',
        'suggestion is null when nothing clearly fits; candidates come close. evidence says how well the words agree.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READS_WORLD,
    },
    bulkyFields: [],
    call: async (args, { signal }) => {
      const { task, limit } = parseArguments(Input, args, SHAPE);
      if (task.trim() === '') {
        throw new Refusal('task: must not be blank', { hint: `the right shape is ${SHAPE}` });
      }
      const { catalog, config, fault } = await view();
      const request = { task, limit: clampLimit(limit), signal };
      return { ...(await finder.find(request, { skills: catalog.ordered, config, fault })) };
    },
  };
}

/** A whole number from 1 to 10. */
export function clampLimit(limit = DEFAULT_LIMIT): number {
  return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(limit)));
}
