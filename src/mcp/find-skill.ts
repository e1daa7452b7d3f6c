import type { CatalogSource } from '../catalog/catalog-service.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { Skill } from '../skill/skill.js';

const MAX_NAME_CHARACTERS = 100;

/** The skill of that name as it is now, its bundle included. Throws a Refusal with names that may have been meant. */
export async function findSkill(source: CatalogSource, name: string): Promise<Skill> {
  const catalog = await source(() => [name.normalize('NFC')]);
  const skill = catalog.find(name);
  if (skill !== undefined) return skill;
  const near = catalog.nearNames(name);
  throw new Refusal(`there is no skill named ${JSON.stringify(toOneLine(name, MAX_NAME_CHARACTERS))}`, {
    hint:
      near.length > 0
        ? `did you mean ${near.join(', ')}?`
        : 'skill_list shows what there is and what is wrong',
  });
}
