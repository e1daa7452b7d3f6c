import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isBuiltin, type ListedSkill } from './opencode-state.js';

/** A skill of ours as far as it can be compared. */
export interface ServedSkill {
  /** Absolute real directory. */
  readonly directory: string;
  /** Its instructions as they are on the disk now. */
  readonly readBody: () => Promise<string>;
}

/** What OpenCode lists, by what becomes of it here. All sorted. */
export interface Coverage {
  readonly served: readonly string[];
  /** Nothing of that name is served here. */
  readonly missing: readonly string[];
  /** Another skill of that name is served here. */
  readonly shadowed: readonly string[];
}

/** Compares OpenCode's own list, without what it brings along, with the skills that are served here. */
export async function compareCoverage(
  listed: readonly ListedSkill[],
  find: (name: string) => ServedSkill | undefined,
): Promise<Coverage> {
  const served: string[] = [];
  const missing: string[] = [];
  const shadowed: string[] = [];
  for (const skill of listed.filter((entry) => !isBuiltin(entry))) {
    const name = skill.id ?? skill.name;
    const own = find(name);
    if (own === undefined) missing.push(name);
    else if (await isSame(skill, own)) served.push(name);
    else shadowed.push(name);
  }
  return { served: served.sort(), missing: missing.sort(), shadowed: shadowed.sort() };
}

/** The same directory, or the same instructions in another one. */
async function isSame({ location, content }: ListedSkill, own: ServedSkill): Promise<boolean> {
  if (location !== undefined) {
    const directory = basename(location) === 'SKILL.md' ? dirname(location) : location;
    if ((await realpath(directory).catch(() => directory)) === own.directory) return true;
    if (content === undefined) return false;
  }
  if (content === undefined) return true;
  return (await own.readBody()).trim() === content.trim();
}
