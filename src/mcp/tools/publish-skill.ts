import { z } from 'zod';
import { Refusal } from '../../errors/refusal.js';
import type { Payload } from '../../registry/payload.js';
import type { PublishResult } from '../../registry/publish-skill.js';
import type { Registry } from '../../registry/registry.js';
import type { RegistryService } from '../../registry/registry-service.js';
import { parseVersion } from '../../registry/version.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { PUBLISHES } from './annotations.js';
import { beginOperation } from './registry-call.js';

const SHAPE =
  '{"name": "a-skill", "files": {"SKILL.md": "…"}} or {"name": "a-skill", "local_folder": "/path"}';

const Input = z.strictObject({
  name: z.string().describe('Name of the skill; a new folder is called like it, in lowercase with hyphens.'),
  files: z
    .record(z.string(), z.string())
    .optional()
    .describe('All files of the skill: relative path → text. Exactly one of files and local_folder.'),
  local_folder: z
    .string()
    .optional()
    .describe('Absolute path of a folder with all files of the skill; keeps binary files and execute bits.'),
  expect: z
    .string()
    .regex(
      /^[0-9a-fA-F]{40}$/,
      'must be a tree SHA of 40 digits, the last segment of the path that get_skill gave',
    )
    .optional()
    .describe('Tree SHA that the registry must still hold for this skill, as get_skill gave it.'),
  dry_run: z.boolean().optional().describe('Only say what would change.'),
  overwrite: z.boolean().optional().describe('Replace a folder that holds a skill of another name.'),
  version: z
    .string()
    .optional()
    .describe('Version to record for this content, such as 1.2.0. It never changes.'),
});

const Output = z.looseObject({
  slug: z.string(),
  status: z.enum(['created', 'updated', 'unchanged', 'dry-run']),
  commit: z.string(),
  treeSha: z.string(),
  url: z.string(),
  skipped: z.array(z.string()),
  diff: z.array(z.looseObject({ path: z.string(), change: z.enum(['added', 'changed', 'removed']) })),
});

/** The tool that writes a skill to the registry as one commit. */
export function makePublishSkill(service: RegistryService): ToolDefinition {
  return {
    definition: {
      name: 'publish_skill',
      title: 'Publish a skill to the registry',
      description: [
        'Publish a skill to the GitHub registry: one commit that makes its folder exactly the files given here.',
        'Files of the folder that are not given are removed. SKILL.md has to begin with name and description. Show the',
        'person what would change with dry_run first. A conflict means that somebody published meanwhile.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: PUBLISHES,
    },
    bulkyFields: ['path'],
    text: (answer) => {
      const { repo, ...result } = Output.extend({ repo: z.string() }).parse(answer);
      return writePublication(result, repo);
    },
    call: async (args, call) => {
      const input = parseArguments(Input, args, SHAPE);
      const version = input.version === undefined ? undefined : parseVersion(input.version);
      const registry = await service.use();
      const result = await registry.publish(beginOperation(call), {
        name: input.name,
        payload: await readPayload(registry, input),
        expect: input.expect?.toLowerCase(),
        dryRun: input.dry_run ?? false,
        overwrite: input.overwrite ?? false,
        version,
      });
      return { ...describePublication(registry, result), repo: registry.name };
    },
  };
}

async function readPayload(registry: Registry, input: z.infer<typeof Input>): Promise<Payload> {
  const { files, local_folder: folder } = input;
  if (files !== undefined && folder === undefined) return registry.readFiles(files);
  if (folder !== undefined && files === undefined) return registry.readFolder(folder);
  const both =
    files === undefined ? 'neither files nor local_folder is given' : 'files and local_folder are both given';
  throw new Refusal(`${both}: exactly one of them says what to publish`, {
    hint: `the right shape is ${SHAPE}`,
  });
}

/** A publication as answers show it; a dry run on a repository without a commit has no commit to point at. */
export function describePublication(registry: Registry, result: PublishResult): z.infer<typeof Output> {
  const { slug, status, commit, treeSha, skipped, diff } = result;
  return {
    slug,
    status,
    commit: commit ?? '',
    treeSha,
    url: commit === undefined ? '' : registry.viewUrl(slug, commit),
    skipped: [...skipped],
    diff: diff.map(({ path, change }) => ({ path, change })),
  };
}

/** A publication as a line or list for people. */
export function writePublication(result: z.infer<typeof Output>, repo: string): string {
  const { slug, status, commit, url, skipped, diff } = result;
  const left = skipped.length === 0 ? '' : `\nLeft out: ${skipped.join(', ')}`;
  if (status === 'dry-run') {
    const lines = diff.map(({ path, change }) => `- ${change}: ${path}`);
    return [`Dry run: \`${slug}\` in ${repo} would change, nothing was written.`, ...lines].join('\n') + left;
  }
  const at = `\`${slug}\` to ${repo}@${commit.slice(0, 7)}. View: ${url}`;
  if (status === 'unchanged') {
    return `Nothing to publish: \`${slug}\` is unchanged in ${repo}@${commit.slice(0, 7)}. View: ${url}${left}`;
  }
  return `Published ${at}${left}`;
}
