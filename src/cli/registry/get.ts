import { readOption, type Subcommand } from './subcommand.js';

/** `skill-mcp registry get`: fetches a skill into the cache and prints where it lies. */
export const get: Subcommand = {
  name: 'get',
  shape: 'get <slug> [--version V]',
  summary: 'fetch a skill and print the path of its folder',
  options: { version: { type: 'string' } },
  positionals: ['slug'],
  run: async ({ registry, operation, say }, [name = ''], options) => {
    const got = await (await registry()).get(operation, name, readOption(options, 'version'));
    const { slug, path, treeSha, staleSince, staleReason } = got;
    if (staleSince !== undefined) say(`stale: this is the copy of ${staleSince}, since ${staleReason}`);
    return { text: path, json: { slug, path, treeSha, stale: staleSince !== undefined } };
  },
};
