import type { Problem } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';
import type { Catalog } from './catalog.js';
import { findNearNames } from './near-names.js';

/** Makes the immutable catalog of one finished scan; names must be different from each other. */
export function createCatalog(skills: readonly Skill[], problems: readonly Problem[]): Catalog {
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(sorted.map((skill) => [skill.name, skill]));
  return Object.freeze({
    skills: Object.freeze(sorted),
    problems: Object.freeze(problems.toSorted(compareProblems)),
    find: (name: string) => byName.get(name.normalize('NFC')),
    nearNames: (name: string) => findNearNames(sorted, name),
  });
}

function compareProblems(a: Problem, b: Problem): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.reason < b.reason ? -1 : Number(a.reason > b.reason);
}
