import type { Candidate } from '../skill/candidate.js';
import { mapBounded } from '../skill/map-bounded.js';
import { readSkill } from '../skill/read-skill.js';
import type { Skill } from '../skill/skill.js';
import type { ParseOptions } from '../skill/skill-md.js';
import { type FoundSkills, findSkills, type SourceTree } from './find-skills.js';
import type { SourceSkills } from './source.js';

// libuv has four threads; more work in flight than this only waits in memory.
const PARALLEL = 12;

/** Reads the skills of a source as they lie on the disk. Never rejects. */
export async function readSource(tree: SourceTree, options: ParseOptions): Promise<SourceSkills> {
  return readFound(tree.id, await findSkills(tree), options);
}

/** As readSource, for skills that were found already. */
export async function readFound(
  id: string,
  found: FoundSkills,
  options: ParseOptions,
): Promise<SourceSkills> {
  const read = await mapBounded(found.candidates, PARALLEL, (candidate: Candidate) =>
    readSkill(candidate, options),
  );
  const skills = read.flatMap(({ skill }) => (skill === undefined ? [] : [makeReadOnly(skill, id)]));
  return {
    id,
    skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    problems: [...found.problems, ...read.flatMap(({ problems }) => problems)],
  };
}

/** What comes from a source is never run, whatever it declares: only a root says that its scripts may. */
function makeReadOnly(skill: Skill, id: string): Skill {
  const reason = `the skill comes from the source ${id}, and sources are read-only; give its folder as a root to run it`;
  const refused = skill.declaration.run.map(({ script }) => ({ script, reason }));
  return Object.freeze({
    ...skill,
    sourceId: id,
    declaration: { ...skill.declaration, run: [] },
    missingScripts: [...skill.missingScripts, ...refused],
  });
}
