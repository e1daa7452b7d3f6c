import { decodeSkillMd } from '../skill/decode-skill-md.js';
import { readCapped } from '../skill/read-capped.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { MAX_BLOCK_BYTES, splitFrontmatter } from '../skill/split-frontmatter.js';
import { cutAtCharacter } from '../skill/utf8.js';

/** Characters of a body that are indexed: 700 were measurably too few, 4,000 no better. */
export const EXCERPT_CHARACTERS = 3_000;

// The largest frontmatter that is served, then the excerpt in the widest encoding.
const MAX_READ_BYTES = MAX_BLOCK_BYTES + EXCERPT_CHARACTERS * 4;

/**
 * The first `characters` of a skill's instructions as they stand on the disk now; empty when they cannot be read:
 * finding goes on by name and description. Never rejects.
 */
export async function readExcerpt(directory: string, characters = EXCERPT_CHARACTERS): Promise<string> {
  const read = await readCapped(directory, SKILL_MD, MAX_READ_BYTES);
  if ('fault' in read) return '';
  const decoded = decodeSkillMd(read.truncated ? cutAtCharacter(read.bytes) : read.bytes);
  if ('fault' in decoded) return '';
  const split = splitFrontmatter(decoded.text);
  if ('fault' in split) return '';
  return split.body.trimStart().slice(0, characters).toWellFormed();
}
