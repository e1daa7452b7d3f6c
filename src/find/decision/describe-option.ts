import { forListing } from '../../errors/sanitize.js';
import type { Skill } from '../../skill/skill.js';

/** Most that a model reads of a description on a shortlist, characters. */
const MAX_DESCRIPTION_CHARACTERS = 1_024;

/** A skill as an option of a choice: its description and, below it, the beginning of its instructions. */
export function describeOption(
  skill: Skill,
  text: string,
  maxDescription = MAX_DESCRIPTION_CHARACTERS,
): string {
  const description = forListing(skill.description ?? '', maxDescription);
  return [description, text].filter((part) => part !== '').join('\n') || skill.name;
}
