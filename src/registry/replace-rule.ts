import { Refusal } from '../errors/refusal.js';
import type { TreeEntry } from './git-data.js';
import { DIRECTORY_MODE } from './git-hash.js';
import type { Head } from './head.js';
import { readSkillHead } from './skill-head.js';
import { quote } from './slug.js';
import type { TreeFiles } from './tree-files.js';

/** What is to be put over what. */
export interface Replacement {
  readonly slug: string;
  /** `name` of the skill that comes. */
  readonly headName: string;
  /** Tree that the caller saw last. */
  readonly expect: string | undefined;
  readonly overwrite: boolean;
  readonly existing: TreeEntry | undefined;
  /** Files of `existing`. */
  readonly old: TreeFiles;
}

/**
 * Lets a folder be replaced when it is at the expected tree, or without one when it holds a skill of the same name.
 * Throws a Refusal otherwise. `readBlob` is asked only where the name decides.
 */
export async function checkReplaceable(
  { slug, headName, expect, overwrite, existing, old }: Replacement,
  registry: string,
  readBlob: (sha: string) => Promise<Buffer>,
): Promise<void> {
  if (expect !== undefined) {
    if (existing?.sha !== expect) throw conflict(registry, slug, existing?.sha, expect);
    return;
  }
  if (existing === undefined || overwrite) return;
  const skillMd = old.get('SKILL.md');
  const head = skillMd && readSkillHead(await readBlob(skillMd.sha));
  const standing = head === undefined || 'fault' in head ? undefined : head.name;
  if (standing === headName) return;
  const found = standing === undefined ? 'something without a readable name' : `the skill ${quote(standing)}`;
  throw new Refusal(`the folder ${quote(slug)} holds ${found}, not ${quote(headName)}`, {
    hint: 'to replace it nevertheless, publish with overwrite: true',
  });
}

/** A file or link of that name at the top would be replaced by the folder without a word. */
export function refuseForeignEntry({ root }: Head, slug: string): void {
  const entry = root.tree.find(({ path }) => path === slug);
  if (entry !== undefined && entry.mode !== DIRECTORY_MODE) {
    throw new Refusal(`the registry holds ${quote(slug)}, which is no folder`);
  }
}

/** Somebody published meanwhile, or the skill is gone: the refusal names both trees. */
export function conflict(registry: string, slug: string, found: string | undefined, expect: string): Refusal {
  const state = found === undefined ? 'does not exist' : `is at tree ${found}`;
  return new Refusal(`${quote(slug)} in ${registry} ${state}, not at ${expect}; nothing was written`, {
    code: 'CONFLICT',
    hint:
      found === undefined
        ? 'publish without expect to create it'
        : `somebody published meanwhile: get_skill it, merge, and publish with expect ${found}`,
  });
}
