import { lstat, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { walkBundle } from '../skill/bundle.js';
import type { Candidate } from '../skill/candidate.js';
import { SKILL_MD } from '../skill/skill-md.js';

/** What a sync keeps of one skill, bytes. */
const MAX_SKILL_BYTES = 16 * 1024 * 1024;

/** Removes what a skill holds beyond the limit, in the files' order; returns one warning for each skill that was cut. */
export async function trimSkills(candidates: readonly Candidate[], base: string): Promise<string[]> {
  const warnings: string[] = [];
  for (const { directory } of candidates) {
    const { files, bytes } = await walkBundle(directory);
    if (bytes <= MAX_SKILL_BYTES) continue;
    // Instructions come first: a skill without them is none.
    let kept = (await lstat(join(directory, SKILL_MD))).size;
    let removed = 0;
    for (const { path, size } of files.filter((file) => file.path !== SKILL_MD)) {
      if (kept + size <= MAX_SKILL_BYTES) {
        kept += size;
        continue;
      }
      await rm(join(directory, path), { force: true });
      removed += 1;
    }
    const name = relative(base, directory) || '.';
    warnings.push(
      `file-limit: ${name} has ${bytes} bytes, more than ${MAX_SKILL_BYTES}; ${removed} of its files were not kept`,
    );
  }
  return warnings;
}
