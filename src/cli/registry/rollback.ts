import type { Subcommand } from './subcommand.js';

/** `skill-mcp registry rollback`: publishes an older tree of a skill again. */
export const rollback: Subcommand = {
  name: 'rollback',
  shape: 'rollback <slug> <tree_sha|version>',
  summary: 'publish an older state of a skill again',
  options: {},
  positionals: ['slug', 'tree_sha or version'],
  run: async ({ registry, operation }, [name = '', target = '']) => {
    const opened = await registry();
    const { slug, status, commit, treeSha } = await opened.rollback(operation, name, target);
    const did =
      status === 'unchanged' ? `${slug} is at ${target} already` : `Rolled back ${slug} to ${target}`;
    const text = `${did} in ${opened.name}@${commit.slice(0, 7)}. View: ${opened.viewUrl(slug, commit)}`;
    return { text, json: { slug, status, commit, treeSha, url: opened.viewUrl(slug, commit) } };
  },
};
