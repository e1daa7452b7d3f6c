import { describe, expect, it } from 'vitest';
import { chooseFolder, resolveFolder, slugify } from '../../src/registry/slug.js';

describe('the folder of a new skill', () => {
  it.each([
    ['My Skill', 'my-skill'],
    ['my_skill', 'my-skill'],
    ['  --A  b!!c-- ', 'a-b-c'],
    ['v2.0 tool', 'v2-0-tool'],
  ])('%j is %s', (name, slug) => {
    expect(slugify(name)).toBe(slug);
    expect(slugify(slug)).toBe(slug);
  });

  it.each([
    'C++',
    'C#',
    '技能',
    'Привет',
    'naïve',
    '---',
    '',
    '   ',
    '../x',
    'a/b',
    'a\\b',
    'a..b',
    'a\u0000b',
    '.git',
    'x'.repeat(65),
  ])('is refused for %j', (name) => {
    expect(() => slugify(name)).toThrow();
  });
});

describe('the folder that a publication goes to', () => {
  it('is the one that bears exactly that name, also in the older form', () => {
    expect(chooseFolder('my_skill', ['my_skill'])).toBe('my_skill');
    expect(chooseFolder('my_skill', ['my-skill', 'my_skill'])).toBe('my_skill');
    expect(chooseFolder('My Skill', ['my-skill'])).toBe('my-skill');
    expect(chooseFolder('New One', ['my_skill'])).toBe('new-one');
  });

  it('is never the twin of another one', () => {
    expect(() => chooseFolder('My Skill', ['my_skill'])).toThrow(/twin of "my_skill"/);
    expect(() => chooseFolder('my-skill', ['My-Skill'])).toThrow(/twin/);
  });
});

describe('the folder that a reader means', () => {
  it('is the exact one, else the only one of that key', () => {
    expect(resolveFolder('my-skill', ['my-skill', 'my_skill'])).toBe('my-skill');
    expect(resolveFolder('my_skill', ['my-skill'])).toBe('my-skill');
    expect(resolveFolder('My Skill', ['my_skill'])).toBe('my_skill');
    expect(resolveFolder('C++', ['C++'])).toBe('C++');
    expect(resolveFolder('other', ['my_skill'])).toBeUndefined();
    expect(resolveFolder('C++', ['c', 'C#'])).toBeUndefined();
    expect(resolveFolder('c', ['C++'])).toBeUndefined();
  });

  it('is named twice when it is ambiguous', () => {
    expect(() => resolveFolder('My Skill', ['my-skill', 'my_skill'])).toThrow(/"my-skill" and "my_skill"/);
  });
});
