/** The one name that makes a directory a skill. */
export const SKILL_MD = 'SKILL.md';

/** True for that name in whatever letter case. */
export function isSkillMdName(name: string): boolean {
  return name.toLowerCase() === SKILL_MD.toLowerCase();
}
