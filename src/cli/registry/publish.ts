import { basename, resolve } from 'node:path';
import { Refusal } from '../../errors/refusal.js';
import { describePublication, writePublication } from '../../mcp/tools/publish-skill.js';
import { isTreeSha, parseVersion } from '../../registry/version.js';
import { readOption, type Subcommand } from './subcommand.js';

/** `skill-mcp registry publish`: one folder becomes one commit. */
export const publish: Subcommand = {
  name: 'publish',
  shape: 'publish <folder> [--name N] [--expect SHA] [--dry-run] [--overwrite] [--version V]',
  summary: 'publish a folder as a skill',
  options: {
    name: { type: 'string' },
    expect: { type: 'string' },
    'dry-run': { type: 'boolean' },
    overwrite: { type: 'boolean' },
    version: { type: 'string' },
  },
  positionals: ['folder'],
  run: async ({ registry, operation, cwd }, [folder = ''], options) => {
    const path = resolve(cwd, folder);
    const version = readOption(options, 'version');
    const expect = readOption(options, 'expect');
    if (expect !== undefined && !isTreeSha(expect))
      throw new Refusal('--expect needs a tree SHA of 40 digits');
    const wanted = version === undefined ? undefined : parseVersion(version);
    const opened = await registry();
    const result = await opened.publish(operation, {
      name: readOption(options, 'name') ?? basename(path),
      payload: await opened.readFolder(path),
      expect: expect?.toLowerCase(),
      dryRun: options['dry-run'] === true,
      overwrite: options.overwrite === true,
      version: wanted,
    });
    const json = describePublication(opened, result);
    return { text: writePublication(json, opened.name), json };
  },
};
