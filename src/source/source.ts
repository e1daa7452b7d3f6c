import type { Problem } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';

/** The skills of one configured source as they lie on the disk. */
export interface SourceSkills {
  /** Id of the source. */
  readonly id: string;
  /** Names are unique; sorted by name. */
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  /** Why the source as a whole is not as it should be, one line; undefined when all is well. */
  readonly fault?: string;
}

/** How the sync of one source ended. */
export interface SyncOutcome {
  readonly id: string;
  /** True when the skills on the disk are those of the source as it is now. */
  readonly ok: boolean;
  /** `cached`: it failed, and what an earlier sync brought stays in use. */
  readonly status: 'synced' | 'unchanged' | 'cached' | 'failed' | 'still syncing';
  /** Commit that is served; GitHub sources only. */
  readonly sha?: string;
  /** Directories with a SKILL.md. */
  readonly skills?: number;
  /** Names that an earlier sync had and this one has not. */
  readonly vanished?: readonly string[];
  /** What is not as it was asked for, one line each: paths that do not exist, submodules, cuts. */
  readonly warnings?: readonly string[];
  /** Why it failed, one sanitised line. */
  readonly error?: string;
}

/** Told in words what a sync is doing now; for people who wait. */
export type SyncProgress = (id: string, step: string) => void;
