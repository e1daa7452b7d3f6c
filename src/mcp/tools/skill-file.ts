import { z } from 'zod';
import type { CatalogSource } from '../../catalog/catalog-service.js';
import { Refusal } from '../../errors/refusal.js';
import { askAbout, findSkill } from '../find-skill.js';
import type { ToolDefinition } from '../tool.js';
import { dropNulls, parseArguments, readStringifiedList, toJsonSchema } from '../tool-schema.js';
import { READ_ONLY } from './annotations.js';
import { readFileEntries, readFileEntry } from './file-entry.js';
import { SIZE_HINT } from './size-hint.js';

const MAX_PATHS = 8;
const SHAPE =
  '{"name": "a-skill", "path": "references/a.md"} or {"name": "a-skill", "paths": ["a.md", "b.png"]} ' +
  `with 1 to ${MAX_PATHS} paths`;

const Input = z.strictObject({
  name: z.string().describe('Name of the skill as skill_list shows it.'),
  path: z.string().optional().describe('One file, relative to the skill, as skill_load lists it.'),
  paths: z
    .array(z.string())
    .min(1)
    .max(MAX_PATHS)
    .optional()
    .describe(`Instead of path: 1 to ${MAX_PATHS} files in one call, 4 MiB in all.`),
});

const Output = z.looseObject({
  skill: z.string().optional(),
  files: z.array(z.looseObject({})).optional(),
  path: z.string().optional(),
  size: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  mediaType: z.string().optional(),
  encoding: z.string().optional(),
  truncated: z.boolean().optional(),
  truncationNote: z.string().optional(),
  content: z.string().optional(),
});

/** The tool that reads bundled files: text as it is, anything else as base64. */
export function makeSkillFile(parts: { readonly catalog: CatalogSource }): ToolDefinition {
  return {
    definition: {
      name: 'skill_file',
      title: 'Read files of a skill',
      description: [
        'Read one file of a skill (path) or up to 8 at once (paths): text as it is, anything else as base64.',
        'At most 1 MiB of each file is returned; truncated says so. With paths, a file that cannot be read has an error in',
        'its place and costs only itself.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READ_ONLY,
      _meta: SIZE_HINT,
    },
    bulkyFields: ['content'],
    call: async (args) => {
      const { name, path, paths } = parseArguments(Input, readLeniently(args), SHAPE);
      const skill = findSkill(await parts.catalog(askAbout(name)), name);
      if (path !== undefined && paths === undefined) return readFileEntry(skill, path);
      if (paths !== undefined && path === undefined) return readFileEntries(skill, paths);
      throw new Refusal(path === undefined ? 'path or paths is required' : 'either path or paths, not both', {
        hint: `the right shape is ${SHAPE}`,
      });
    },
  };
}

function readLeniently(args: unknown): Record<string, unknown> {
  const fields = dropNulls(args);
  return 'paths' in fields ? { ...fields, paths: readStringifiedList(fields.paths) } : fields;
}
