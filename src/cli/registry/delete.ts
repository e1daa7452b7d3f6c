import { Refusal } from '../../errors/refusal.js';
import type { Subcommand } from './subcommand.js';

/** `skill-mcp registry delete`: takes a skill out of the registry; its history stays. */
export const remove: Subcommand = {
  name: 'delete',
  shape: 'delete <slug> --yes',
  summary: 'take a skill out of the registry; its history stays readable',
  options: { yes: { type: 'boolean' } },
  positionals: ['slug'],
  run: async ({ registry, operation }, [name = ''], options) => {
    if (options.yes !== true) {
      throw new Refusal(`delete takes ${name} out of the registry for everybody`, {
        hint: 'say --yes to do it',
      });
    }
    const opened = await registry();
    const { slug, commit, treeSha } = await opened.delete(operation, name);
    const text = `Deleted ${slug} from ${opened.name}@${commit.slice(0, 7)}. Bring it back with: skill-mcp registry rollback ${slug} ${treeSha}`;
    return { text, json: { slug, status: 'deleted', commit, treeSha } };
  },
};
