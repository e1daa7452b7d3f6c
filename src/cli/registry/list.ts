import { escapeInvisible, forListing } from '../../errors/sanitize.js';
import type { Subcommand } from './subcommand.js';

/** Longest description on a line, graphemes. */
const MAX_DESCRIPTION = 100;

/** `skill-mcp registry list`: one line for each skill, then the folders that are none. */
export const list: Subcommand = {
  name: 'list',
  shape: 'list',
  summary: 'show the skills of the registry',
  options: {},
  positionals: [],
  run: async ({ registry, operation }) => {
    const opened = await registry();
    const { branch, skills, problems } = await opened.list(operation);
    const width = Math.max(0, ...skills.map(({ slug }) => slug.length));
    const lines = skills.map(
      ({ slug, description }) =>
        `${escapeInvisible(slug).padEnd(width)}  ${forListing(description, MAX_DESCRIPTION)}`,
    );
    if (skills.length === 0) lines.push(`No skills found in ${opened.name}.`);
    lines.push(...problems.map(({ slug, reason }) => `no usable skill: ${escapeInvisible(slug)}: ${reason}`));
    return { text: lines.join('\n'), json: { repo: opened.name, branch, skills, problems } };
  },
};
