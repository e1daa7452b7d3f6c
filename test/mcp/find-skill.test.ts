import { expect, it } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.js';
import { findSkill } from '../../src/mcp/find-skill.js';
import { makeSkill } from '../helpers/skills.js';

const catalog = createCatalog([makeSkill({ name: 'plain' })], []);

it.each([
  ['plain ', '"plain "'],
  ['pl\u202eain', String.raw`"pl\u{202e}ain"`],
  ['plain\0', String.raw`"plain\u{0}"`],
  ['plian', '"plian"'],
])('quotes %j as it came and suggests the name that was meant', (wish, quoted) => {
  expect(() => findSkill(catalog, wish)).toThrow(
    expect.objectContaining({ message: `there is no skill named ${quoted}`, hint: 'did you mean plain?' }),
  );
});
