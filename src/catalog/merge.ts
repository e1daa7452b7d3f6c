import { basename } from 'node:path';
import { makeProblem } from '../skill/make-problem.js';
import type { Problem } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';
import type { SourceSkills } from '../source/source.js';
import type { Catalog } from './catalog.js';
import { createCatalog } from './create-catalog.js';

/** Roots and configured sources as one catalog. */
export interface MergedCatalog extends Catalog {
  /** The same skills in order of priority: those of the roots, then source by source as configured, by name within each. */
  readonly ordered: readonly Skill[];
}

/** Each name once: the roots come first, then the sources in their order; later ones are reported as shadowed. */
export function mergeCatalog(roots: Catalog, sources: readonly SourceSkills[]): MergedCatalog {
  const disputed = findDisputed(roots);
  const taken = new Map(roots.skills.map((skill) => [skill.name, skill]));
  const problems: Problem[] = [...roots.problems];
  for (const source of sources) {
    problems.push(...source.problems);
    for (const skill of source.skills) {
      const earlier = taken.get(skill.name);
      if (earlier !== undefined) {
        const detail = `"${skill.name}" of the source ${source.id} is served from ${earlier.sourceId ?? earlier.directory}`;
        problems.push(makeProblem(skill.directory, 'shadowed', detail));
      } else if (disputed.has(skill.name)) {
        const detail = `"${skill.name}" of the source ${source.id} is not served: two roots dispute the name`;
        problems.push(makeProblem(skill.directory, 'shadowed', detail));
      } else {
        taken.set(skill.name, skill);
      }
    }
  }
  const ordered = Object.freeze([...taken.values()]);
  return Object.freeze({ ...createCatalog(ordered, problems), ordered });
}

/** Names that two roots claim: a source must not decide what they mean. */
function findDisputed({ problems }: Catalog): ReadonlySet<string> {
  const claims = problems.filter(({ reason }) => reason === 'duplicate-name');
  return new Set(claims.map(({ path }) => basename(path).normalize('NFC')));
}
