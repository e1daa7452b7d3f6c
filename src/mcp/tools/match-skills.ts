import type { Skill } from '../../skill/skill.js';

/** Skills with the words of `query` in their name or description, as written and in whatever letter case; all without one. */
export function matchSkills(skills: readonly Skill[], query: string | undefined): readonly Skill[] {
  const wanted = fold(query ?? '').trim();
  if (wanted === '') return skills;
  return skills.filter(
    ({ name, description }) => fold(name).includes(wanted) || fold(description ?? '').includes(wanted),
  );
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
