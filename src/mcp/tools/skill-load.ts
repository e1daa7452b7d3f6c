import { z } from 'zod';
import type { CatalogSource } from '../../catalog/catalog-service.js';
import type { Settings } from '../../config/settings.js';
import type { Grant } from '../../run/grant.js';
import { sortScripts } from '../../run/script-state.js';
import type { Skill } from '../../skill/skill.js';
import { readBody } from '../../skill/skill-md.js';
import { askAbout, findSkill } from '../find-skill.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READ_ONLY } from './annotations.js';
import { SIZE_HINT } from './size-hint.js';

const Input = z.strictObject({
  name: z.string().describe('Name of the skill as skill_list shows it.'),
});

const Output = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  whenToUse: z.string().optional(),
  source: z.string(),
  body: z.string(),
  truncated: z.boolean(),
  truncationNote: z.string().optional(),
  base: z.string(),
  linkNote: z.string().optional(),
  files: z.array(z.looseObject({})),
  scripts: z.array(z.looseObject({})),
});

export interface SkillLoadParts {
  readonly settings: Pick<Settings, 'interpreters' | 'strictYaml'>;
  readonly catalog: CatalogSource;
  readonly grant: Grant;
}

/** The tool that hands out a skill's instructions, verbatim, with a list of what else is in its directory. */
export function makeSkillLoad(parts: SkillLoadParts): ToolDefinition {
  return {
    definition: {
      name: 'skill_load',
      title: 'Load a skill',
      description: [
        'Load one skill: its instructions (body) word for word and the list of the files beside them.',
        'Files that the instructions refer to are not included: read them with skill_file. Relative paths start at base.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READ_ONLY,
      _meta: SIZE_HINT,
    },
    bulkyFields: ['body', 'files'],
    call: async (args) => {
      const { name } = parseArguments(Input, args, '{"name": "a-skill"}');
      return loadSkill(findSkill(await parts.catalog(askAbout(name)), name), parts);
    },
  };
}

async function loadSkill(skill: Skill, parts: SkillLoadParts): Promise<Record<string, unknown>> {
  const loaded = await readBody(skill, { strict: parts.settings.strictYaml });
  const runnable = new Set(
    sortScripts(skill, parts.grant, parts.settings.interpreters).scripts.map(({ script }) => script),
  );
  return {
    name: skill.name,
    ...(loaded.description !== undefined && { description: loaded.description }),
    ...(loaded.whenToUse !== undefined && { whenToUse: loaded.whenToUse }),
    source: skill.source,
    body: loaded.body,
    truncated: loaded.truncated,
    ...(loaded.truncationNote !== undefined && { truncationNote: loaded.truncationNote }),
    base: skill.directory,
    ...(skill.insideLinks > 0 && { linkNote: noteLinks(skill.insideLinks) }),
    files: skill.files.map(({ path, size }) => ({ path, size })),
    scripts: [...skill.declaration.run, ...skill.missingScripts].map(({ script, interpreter }) => ({
      script,
      ...(interpreter !== undefined && { interpreter }),
      runnableHere: runnable.has(script),
    })),
  };
}

function noteLinks(count: number): string {
  const links = count === 1 ? '1 symbolic link' : `${count} symbolic links`;
  return `${links} inside the skill not listed under files; skill_file reads what stays inside.`;
}
