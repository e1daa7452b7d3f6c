import { z } from 'zod';
import { forListing } from '../../errors/sanitize.js';
import type { RegistryService } from '../../registry/registry-service.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READS_WORLD } from './annotations.js';
import { beginOperation } from './registry-call.js';

/** What the published format allows for a description, graphemes. */
const MAX_TEXT = 1_024;

const Input = z.strictObject({});

const Output = z.looseObject({
  repo: z.string(),
  branch: z.string(),
  skills: z.array(
    z.looseObject({ slug: z.string(), name: z.string(), description: z.string(), treeSha: z.string() }),
  ),
  problems: z.array(z.looseObject({ slug: z.string(), reason: z.string() })),
});
type Listing = z.infer<typeof Output>;

/** The tool that shows what the registry holds, and what in it is no usable skill. */
export function makeListSkills(service: RegistryService): ToolDefinition {
  return {
    definition: {
      name: 'list_skills',
      title: 'List the skills of the registry',
      description: [
        'List every skill of the GitHub registry with its folder (slug), name and description.',
        'Folders that are no usable skill follow with the reason. Fetch one with get_skill before you follow it.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READS_WORLD,
    },
    bulkyFields: ['description'],
    text: (answer) => writeListing(Output.parse(answer)),
    call: async (args, call) => {
      parseArguments(Input, args, '{}');
      const registry = await service.use();
      const { branch, skills, problems } = await registry.list(beginOperation(call));
      return {
        repo: registry.name,
        branch,
        skills: skills.map(({ slug, name, description, treeSha }) => ({
          slug: forListing(slug, MAX_TEXT),
          name: forListing(name, MAX_TEXT),
          description: forListing(description, MAX_TEXT),
          treeSha,
        })),
        problems: problems.map(({ slug, reason }) => ({
          slug: forListing(slug, MAX_TEXT),
          reason: forListing(reason, MAX_TEXT),
        })),
      } satisfies Listing;
    },
  };
}

/** A table for people and models; the folders that are no skill stand below it. */
export function writeListing({ repo, skills, problems }: Listing): string {
  const lines =
    skills.length === 0
      ? [`No skills found in ${repo}.`]
      : [
          '| slug | name | description |',
          '| --- | --- | --- |',
          ...skills.map((skill) => writeRow([skill.slug, skill.name, skill.description])),
        ];
  if (problems.length > 0) {
    lines.push('', 'No usable skill:', ...problems.map(({ slug, reason }) => `- ${slug}: ${reason}`));
  }
  return lines.join('\n');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

/** A bar would end the cell, also behind a backslash: that one is doubled, so that it escapes itself alone. */
function escapeCell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes}\\|`);
}
