import { z } from 'zod';
import type { ReadFindView } from '../../catalog/find-catalog.js';
import { Refusal } from '../../errors/refusal.js';
import { escapeInvisible } from '../../errors/sanitize.js';
import { type ReadFile, readBundleFile } from '../../skill/read-file.js';
import type { Skill } from '../../skill/skill.js';
import { SKILL_MD } from '../../skill/skill-md.js';
import { findSkill } from '../find-skill.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READ_ONLY } from './annotations.js';
import { ASK_FIND } from './load.js';
import { resourcesOf } from './resources-of.js';

/** Largest file that is handed out, bytes: a text of this size is some 60,000 tokens. */
const MAX_TEXT_BYTES = 256 * 1024;

const MAX_SHOWN_PATH = 200;
const MAX_NEAR_PATHS = 5;

const Input = z.strictObject({ id: z.string(), path: z.string() });

const Output = z.object({ id: z.string(), path: z.string(), text: z.string() });

/** The tool that reads one text file of a skill. */
export function makeRead({ view }: { readonly view: ReadFindView }): ToolDefinition {
  return {
    definition: {
      name: 'read',
      title: 'Read a file of a skill',
      description: [
        'Read one text file of a skill, by a path out of load.',
        'A refusal begins with missing, too-large (over 256 KiB) or binary.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READ_ONLY,
    },
    bulkyFields: ['text'],
    call: async (args) => {
      const { id, path } = parseArguments(Input, args, '{"id": "a-skill", "path": "references/a.md"}');
      return readResource(findSkill((await view()).catalog, id, ASK_FIND), path);
    },
  };
}

async function readResource(skill: Skill, path: string): Promise<Record<string, unknown>> {
  const served = [SKILL_MD, ...resourcesOf(skill).map((file) => file.path)];
  const shown = JSON.stringify(escapeInvisible(path.slice(0, MAX_SHOWN_PATH)));
  if (!served.includes(path)) {
    throw new Refusal(`${shown} is none of the files of ${skill.name}`, {
      code: 'missing',
      hint: suggestPaths(path, served),
    });
  }
  const file = await readWhole(skill, path);
  if (file.truncated) {
    throw new Refusal(`${shown} has ${file.size} bytes, at most ${MAX_TEXT_BYTES} are handed out`, {
      code: 'too-large',
    });
  }
  if (file.text === undefined) {
    throw new Refusal(`${shown} is no text (${file.mediaType}, ${file.size} bytes)`, { code: 'binary' });
  }
  return { id: skill.name, path, text: file.text };
}

/** What was listed and cannot be read now is as good as missing, and says why. */
async function readWhole(skill: Skill, path: string): Promise<ReadFile> {
  try {
    return await readBundleFile(skill, path, MAX_TEXT_BYTES);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.message, {
      code: 'missing',
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}

function suggestPaths(path: string, served: readonly string[]): string {
  const wanted = path.toLowerCase();
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const near = served.filter((one) => name !== '' && one.toLowerCase().endsWith(name));
  return near.length === 0
    ? 'load lists the paths that there are'
    : `did you mean ${near.slice(0, MAX_NEAR_PATHS).map(escapeInvisible).join(', ')}?`;
}
