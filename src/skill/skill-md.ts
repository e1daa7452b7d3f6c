import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import { decodeSkillMd } from './decode-skill-md.js';
import { type Frontmatter, readFrontmatter } from './frontmatter.js';
import type { FileFault } from './open-inside.js';
import type { ProblemReason } from './problem.js';
import { type CappedBytes, readCapped } from './read-capped.js';
import { refuseFile } from './refuse-file.js';
import type { Skill } from './skill.js';
import { SKILL_MD } from './skill-md-name.js';
import { splitFrontmatter } from './split-frontmatter.js';
import { cutAtCharacter } from './utf8.js';

export { SKILL_MD } from './skill-md-name.js';

/** A SKILL.md beyond this is served cut, bytes; the largest of 16,614 real ones has 287 KiB. */
export const MAX_SKILL_MD_BYTES = 256 * 1024;

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

/** A SKILL.md that was read and understood. */
export interface SkillMd {
  readonly frontmatter: Frontmatter;
  readonly body: string;
  /** Bytes on the disk. */
  readonly size: number;
  readonly truncated: boolean;
}

/** Why a SKILL.md is no skill. */
export type SkillMdFault =
  | {
      readonly reason: Extract<ProblemReason, 'unreadable-skill-md' | 'malformed-frontmatter'>;
      readonly fault: string;
    }
  | { readonly file: FileFault };

/** How SKILL.md files are parsed; `turn` is awaited before each parse, so that many of them leave others room. */
export interface ParseOptions {
  readonly strict: boolean;
  readonly turn?: () => Promise<void>;
}

/** Reads and parses the SKILL.md of a real directory; never rejects. */
export async function readSkillMd(directory: string, options: ParseOptions): Promise<SkillMd | SkillMdFault> {
  const read = await readCapped(directory, SKILL_MD, MAX_SKILL_MD_BYTES);
  return 'fault' in read ? { file: read } : parseSkillMd(read, options);
}

/** Parses the bytes of a SKILL.md; never rejects. */
export async function parseSkillMd(
  read: Pick<CappedBytes, 'bytes' | 'size' | 'truncated'>,
  options: ParseOptions,
): Promise<SkillMd | SkillMdFault> {
  await options.turn?.();
  const { size, truncated } = read;
  const decoded = decodeSkillMd(truncated ? cutAtCharacter(read.bytes) : read.bytes);
  if ('fault' in decoded) return { reason: 'unreadable-skill-md', fault: decoded.fault };
  const split = splitFrontmatter(decoded.text);
  if ('fault' in split) return { reason: 'malformed-frontmatter', fault: split.fault };
  const frontmatter = readFrontmatter(split.block, options);
  if ('fault' in frontmatter) return { reason: 'malformed-frontmatter', fault: frontmatter.fault };
  return { frontmatter, body: split.body, size, truncated };
}

/**
 * Reads a skill's instructions. Throws a Refusal when SKILL.md is gone since the scan, cannot be read, or no
 * longer has a frontmatter that parses (`strict`: without mending it).
 */
export async function readBody(
  skill: Skill,
  options: ParseOptions = { strict: false },
): Promise<LoadedSkill> {
  const read = await readSkillMd(skill.directory, options);
  if ('file' in read) {
    if (read.file.fault !== 'absent') throw refuseFile(skill, SKILL_MD, read.file);
    throw new Refusal(`skill "${skill.name}" is gone since the scan: its SKILL.md does not exist any more`);
  }
  if ('fault' in read) {
    throw new Refusal(
      `SKILL.md of "${skill.name}" has changed and cannot be read: ${toOneLine(read.fault, 300)}`,
    );
  }
  const { frontmatter, body, size, truncated } = read;
  const { description, whenToUse, values } = frontmatter;
  return {
    ...(description === undefined ? {} : { description }),
    ...(whenToUse === undefined ? {} : { whenToUse }),
    body,
    truncated,
    ...(truncated ? { truncationNote: `first ${MAX_SKILL_MD_BYTES} of ${size} bytes of SKILL.md` } : {}),
    frontmatter: values,
  };
}
