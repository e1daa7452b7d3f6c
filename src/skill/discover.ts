import type { Candidate } from './candidate.js';
import { makeProblem } from './make-problem.js';
import type { Problem } from './problem.js';
import { CONTAINER, RootSearch, type SearchOptions } from './root-search.js';
import { SKILL_MD } from './skill-md.js';

/** What one root holds. */
export interface Discovery {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly Problem[];
  /** Real directories that were reached and refused for their name. */
  readonly refused: readonly string[];
  /** Real path of the root; undefined when it cannot be read. */
  readonly realRoot: string | undefined;
  /** The search stopped at `maxSkills`. */
  readonly limited: boolean;
}

/** Finds the skills of one root by its layouts; reads no SKILL.md. Never rejects. */
export async function discoverRoot(root: string, options: SearchOptions): Promise<Discovery> {
  const search = new RootSearch(root, options);
  const realRoot = await search.run();
  const { candidates, problems, refused, unlooked } = search;
  if (unlooked > 0) {
    const detail = `stopped at ${options.maxSkills} skills; ${unlooked} directories were not looked at`;
    problems.push(makeProblem(root, 'skill-limit', `${detail} (SKILL_MCP_MAX_SKILLS)`));
  }
  if (realRoot !== undefined && candidates.length === 0 && problems.length === 0) {
    const detail = `no ${SKILL_MD} here, in a directory below or in ${CONTAINER}/`;
    problems.push(makeProblem(root, 'no-skill-md', detail));
  }
  return { candidates, problems, refused, realRoot, limited: unlooked > 0 };
}
