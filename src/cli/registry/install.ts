import { resolve } from 'node:path';
import { installSkill } from '../../registry/install-skill.js';
import { isTreeSha, parseVersion, versionTag } from '../../registry/version.js';
import { readOption, type Subcommand } from './subcommand.js';

/** Where skills are installed without --to: the folder that agents look into. */
const DEFAULT_DIRECTORY = 'skills';

/** `skill-mcp registry install`: copies a skill to a folder of one's own and pins its bytes. */
export const install: Subcommand = {
  name: 'install',
  shape: 'install <slug> [--to DIR] [--version V]',
  summary: `copy a skill to DIR/<slug> (DIR: ${DEFAULT_DIRECTORY}) and pin it in the lock file beside DIR`,
  options: { to: { type: 'string' }, version: { type: 'string' } },
  positionals: ['slug'],
  run: async ({ registry, operation, cwd, say, now }, [name = ''], options) => {
    const version = readOption(options, 'version');
    const opened = await registry();
    const skill = await opened.get(operation, name, version);
    if (skill.staleSince !== undefined)
      say(`stale: the copy of ${skill.staleSince}, since ${skill.staleReason}`);
    const isTag = version !== undefined && !isTreeSha(version);
    const tag = isTag ? versionTag(skill.slug, parseVersion(version)) : undefined;
    const branch = tag === undefined ? await opened.connection.branch(operation) : undefined;
    const ref = tag === undefined ? `refs/heads/${branch}` : `refs/tags/${tag}`;
    const { path, lockFile, treeSha } = await installSkill({
      skill,
      now,
      ref,
      directory: resolve(cwd, readOption(options, 'to') ?? DEFAULT_DIRECTORY),
      repo: `https://${opened.config.host}/${opened.name}`,
      pinned: version === undefined ? undefined : (tag ?? skill.treeSha),
    });
    const text = `Installed ${skill.slug} (tree ${treeSha.slice(0, 7)}) to ${path}; pinned in ${lockFile}`;
    return { text, json: { slug: skill.slug, path, treeSha, ref, lockFile } };
  },
};
