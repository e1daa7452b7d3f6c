import { z } from 'zod';
import type { RegistryService } from '../../registry/registry-service.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READS_WORLD } from './annotations.js';
import { beginOperation } from './registry-call.js';

const Input = z.strictObject({
  slug: z.string().describe('Folder of the skill as list_skills shows it.'),
  version: z
    .string()
    .optional()
    .describe('A published version such as 1.2.0, or a tree SHA of 40 digits; without it the newest.'),
});

const Output = z.looseObject({
  slug: z.string(),
  path: z.string(),
  treeSha: z.string(),
  stale: z.boolean(),
  note: z.string().optional(),
});

/** The tool that puts a skill of the registry onto this machine and says where it lies. */
export function makeGetSkill(service: RegistryService): ToolDefinition {
  return {
    definition: {
      name: 'get_skill',
      title: 'Get a skill from the registry',
      description: [
        'Fetch a skill from the GitHub registry and answer the absolute path of its folder on this machine.',
        'Read SKILL.md in that folder first. The last segment of the path is the tree SHA: give it to publish_skill as',
        'expect, so that nobody else’s change is overwritten. The folder is a shared copy: never edit it in place.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READS_WORLD,
    },
    bulkyFields: [],
    text: (answer) => {
      const { path, note } = Output.parse(answer);
      return note === undefined ? path : `${path}\n${note}`;
    },
    call: async (args, call) => {
      const { slug, version } = parseArguments(Input, args, '{"slug": "a-skill"}');
      const registry = await service.use();
      const got = await registry.get(beginOperation(call), slug, version);
      const note =
        got.staleSince === undefined
          ? undefined
          : `stale: this is the copy of ${got.staleSince}, since ${got.staleReason ?? 'GitHub did not answer'}`;
      return {
        slug: got.slug,
        path: got.path,
        treeSha: got.treeSha,
        stale: note !== undefined,
        ...(note !== undefined && { note }),
      } satisfies z.infer<typeof Output>;
    },
  };
}
