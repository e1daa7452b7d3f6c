import type { BundleFile, Skill } from '../../skill/skill.js';
import { SKILL_MD } from '../../skill/skill-md.js';

/** Most files of a skill that load lists and read serves. */
export const MAX_RESOURCES = 512;

/** The files that a body can point to: all regular ones that are not hidden, without SKILL.md. */
export function resourcesOf(skill: Skill): readonly BundleFile[] {
  return allResources(skill).slice(0, MAX_RESOURCES);
}

/** What to say when there are more files than are listed; undefined when all are. */
export function noteCutResources(skill: Skill): string | undefined {
  const count = allResources(skill).length;
  return count > MAX_RESOURCES ? `file-limit: the first ${MAX_RESOURCES} of ${count} files` : undefined;
}

function allResources({ files }: Skill): readonly BundleFile[] {
  return files.filter(({ path }) => path !== SKILL_MD);
}
