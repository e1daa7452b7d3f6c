import type { Catalog } from '../catalog/catalog.js';
import type { Interest } from '../catalog/catalog-service.js';
import { Refusal } from '../errors/refusal.js';
import { quoteName } from '../errors/sanitize.js';
import type { Skill } from '../skill/skill.js';

const MAX_NAME_CHARACTERS = 100;

/** Has one skill looked at most closely: its answer is about nothing else. */
export function askAbout(name: string): Interest {
  return () => [name.normalize('NFC')];
}

/** The skill of that name. Throws a Refusal with names that may have been meant, else with the hint `elsewhere`. */
export function findSkill(
  catalog: Catalog,
  name: string,
  elsewhere = 'skill_list shows what there is and what is wrong',
): Skill {
  const skill = catalog.find(name);
  if (skill !== undefined) return skill;
  const near = catalog.nearNames(name);
  throw new Refusal(`there is no skill named ${quoteName(name, MAX_NAME_CHARACTERS)}`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : elsewhere,
  });
}
