import type { Skill } from './skill.js';

/** SKILL.md as it stands on the disk now: everything in it comes from one reading. */
export interface LoadedSkill {
  readonly description?: string;
  readonly whenToUse?: string;
  /** Everything after the closing fence, verbatim. */
  readonly body: string;
  readonly truncated: boolean;
  readonly truncationNote?: string;
  /** The whole block as plain JSON values, keys as written. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/**
 * Reads a skill's instructions. Throws a Refusal when SKILL.md is gone since the scan, cannot be read, or no
 * longer has a frontmatter.
 */
export async function readBody(_skill: Skill): Promise<LoadedSkill> {
  throw new Error('not written yet');
}
