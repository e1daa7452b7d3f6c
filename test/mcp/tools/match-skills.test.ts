import { describe, expect, it } from 'vitest';
import { matchSkills } from '../../../src/mcp/tools/match-skills.js';
import { makeSkill } from '../../helpers/skills.js';

const skills = [
  makeSkill({ name: 'pdf-tools', description: 'Fills FORMS.' }),
  makeSkill({ name: 'caf\u00e9', description: 'Makes cafe\u0301.' }),
  makeSkill({ name: 'bare' }),
];
const found = (query: string | undefined) => matchSkills(skills, query).map(({ name }) => name);

describe('matchSkills', () => {
  it.each<[string | undefined, string[]]>([
    ['PDF', ['pdf-tools']],
    ['forms', ['pdf-tools']],
    ['cafe\u0301', ['caf\u00e9']],
    ['CAF\u00c9', ['caf\u00e9']],
    [' bar ', ['bare']],
    ['f.o', []],
    ['', ['pdf-tools', 'caf\u00e9', 'bare']],
    [undefined, ['pdf-tools', 'caf\u00e9', 'bare']],
  ])('%j', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });
});
