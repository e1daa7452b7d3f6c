import { SKILL_LIMITS } from '@modelcontextprotocol/server/ext/skills';
import type { Catalog } from '../catalog/catalog.js';
import { escapeInvisible } from '../errors/sanitize.js';
import type { ProblemReason } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';
import { MAX_RESOURCE_BYTES } from './read-resource.js';

// A file that is not in the listing would be missing in the manifest, which has to be complete.
const INCOMPLETE: ReadonlySet<ProblemReason> = new Set(['file-limit', 'symlink-escape', 'unusable-path']);

/**
 * Why a skill cannot be published as far as the scan tells, in a phrase; undefined when nothing speaks against it. No
 * file is opened. `gaps` are the skills of `findGaps`.
 */
export function findScanFault(skill: Skill, gaps: ReadonlyMap<string, string>): string | undefined {
  const { files, bytes, directory, insideLinks } = skill;
  if (files.length > SKILL_LIMITS.files) {
    return `it has ${files.length} files, at most ${SKILL_LIMITS.files} are published`;
  }
  const large = files.find(({ size }) => size > MAX_RESOURCE_BYTES);
  if (large !== undefined) {
    return `${large.path} is ${large.size} bytes, a resource is at most ${MAX_RESOURCE_BYTES}`;
  }
  if (bytes > SKILL_LIMITS.bytes) {
    return `it is ${bytes} bytes, at most ${SKILL_LIMITS.bytes} are published`;
  }
  if (insideLinks > 0) return 'it has symbolic links, which no manifest can name';
  return gaps.get(escapeInvisible(directory));
}

/** Skills whose list of files is known to be incomplete, by directory as problems show it. */
export function findGaps({ skills, problems }: Catalog): ReadonlyMap<string, string> {
  const directories = new Set(skills.map(({ directory }) => escapeInvisible(directory)));
  const gaps = new Map<string, string>();
  for (const { path, reason } of problems) {
    if (!INCOMPLETE.has(reason)) continue;
    const directory = climb(path, directories);
    // A long SKILL.md is cut for skill_load alone; as a resource it is whole.
    const isOwn = reason === 'file-limit' && path !== directory;
    if (directory !== undefined && !isOwn) gaps.set(directory, `not all its files can be listed (${reason})`);
  }
  return gaps;
}

function climb(path: string, directories: ReadonlySet<string>): string | undefined {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (directories.has(at)) return at;
  }
  return undefined;
}
