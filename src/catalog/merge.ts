import type { Problem } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';
import type { Catalog } from './catalog.js';

/** The skills of one configured source as they lie on the disk, names unique within it. */
export interface SourceSkills {
  /** Id of the source. */
  readonly id: string;
  /** In order of preference: originals before copies, then the shallower, then by path. */
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
}

/** Roots and configured sources as one catalog. */
export interface MergedCatalog extends Catalog {
  /** The same skills in order of priority: those of the roots, then source by source as configured, by name within each. */
  readonly ordered: readonly Skill[];
}
