import { z } from 'zod';
import type { ReadFindView } from '../../catalog/find-catalog.js';
import { forListing } from '../../errors/sanitize.js';
import { readBody } from '../../skill/skill-md.js';
import { findSkill } from '../find-skill.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READ_ONLY } from './annotations.js';
import { noteCutResources, resourcesOf } from './resources-of.js';

const MAX_NAME_CHARACTERS = 100;
const MAX_DESCRIPTION_CHARACTERS = 1_024;

/** Where a caller looks on who has none of the ids that there are. */
export const ASK_FIND = 'find names the skills that there are';

const Input = z.strictObject({ id: z.string() });

const Output = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  body: z.string(),
  resources: z.array(z.string()),
  base: z.string(),
});

/** The tool that hands out a skill's instructions, verbatim, and says what else is in its directory. */
export function makeLoad({ view }: { readonly view: ReadFindView }): ToolDefinition {
  return {
    definition: {
      name: 'load',
      title: 'Load a skill',
      description: [
        "Load a skill's instructions (body), word for word; its files are in resources.",
        'Relative paths in the body start at base. Read the files that it mentions with read.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READ_ONLY,
    },
    bulkyFields: ['body'],
    call: async (args) => {
      const { id } = parseArguments(Input, args, '{"id": "a-skill"}');
      const skill = findSkill((await view()).catalog, id, ASK_FIND);
      const loaded = await readBody(skill);
      const { name } = loaded.frontmatter;
      const note = noteCutResources(skill);
      return {
        id: skill.name,
        name: forListing(typeof name === 'string' ? name : skill.name, MAX_NAME_CHARACTERS),
        description: forListing(loaded.description ?? '', MAX_DESCRIPTION_CHARACTERS),
        body: loaded.body,
        ...(loaded.truncationNote !== undefined && { truncationNote: loaded.truncationNote }),
        resources: resourcesOf(skill).map(({ path }) => path),
        ...(note !== undefined && { resourcesNote: note }),
        base: skill.directory,
      };
    },
  };
}
