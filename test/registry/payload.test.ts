import { describe, expect, it } from 'vitest';
import { MAX_INLINE_BYTES, readInlineFiles } from '../../src/registry/payload.js';
import { skillMd } from '../helpers/fake-github/open-registry.js';

const CAP = 2 * 1024 * 1024;
const read = (files: Record<string, unknown>) =>
  readInlineFiles({ 'SKILL.md': skillMd('demo'), ...files }, CAP);

describe('the keys of files [registry.refusals]', () => {
  it.each([
    '../x',
    'a/../../x',
    '/etc/x',
    'a\\..\\x',
    '.git/config',
    'sub/.GIT/config',
    '.git./x',
    '././../x',
    '',
    './',
    'a/',
    'a//b',
    'a\0',
    'a\u0007b',
    'a/./b',
    '.g\u200cit/x',
    'GIT~1/x',
    '\ud800',
  ])('%j is refused and named', (key) => {
    expect(() => read({ [key]: 'x' })).toThrow(/the path ".*nothing was published/);
  });

  it('lose a leading ./, however often', () => {
    expect([...read({ './a.txt': 'a', '././b/c.txt': 'c' }).files.keys()]).toEqual([
      'SKILL.md',
      'a.txt',
      'b/c.txt',
    ]);
  });

  it.each([
    [{ 'a.txt': '', 'A.txt': '' }, /"a.txt" and "A.txt"/],
    [{ é: '', 'e\u0301': '' }, /differ in nothing but case or spelling/],
    [{ 'a.txt': '', './a.txt': '' }, /two keys mean the file "a.txt"/],
    [{ a: '', 'a/b': '' }, /"a" is a file and, for "a\/b", also a folder/],
    [{ 'Docs/a': '', 'docs/b': '' }, /the folders "Docs" and "docs"/],
  ])('%j collide', (files, message) => {
    expect(() => read(files)).toThrow(message);
  });
});

describe('the caps of files [registry.refusals]', () => {
  it('name the file and both figures', () => {
    expect(() => read({ 'big.txt': 'x'.repeat(CAP + 1) })).toThrow(
      `"big.txt" has ${CAP + 1} bytes, at most ${CAP} (SKILLS_MAX_FILE_BYTES)`,
    );
    expect(read({ 'big.txt': 'x'.repeat(CAP) }).files.size).toBe(2);
  });

  it('point to local_folder when all together are too much', () => {
    const files = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(CAP)]));
    expect(() => read(files)).toThrow(`at most ${MAX_INLINE_BYTES}`);
  });

  it('hold for the number of files', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, '']));
    expect(() => read(many)).toThrow('the skill has 2001 files, at most 2000');
  });

  it('and for what a text is', () => {
    expect(() => read({ 'a.txt': 5 })).toThrow(/the value of "a.txt" is no text/);
    expect(() => read({ 'a.txt': '\ud800' })).toThrow(/"a.txt" is not well-formed/);
    expect(() => readInlineFiles({ 'a/SKILL.md': '' }, CAP)).toThrow(/SKILL.md is missing/);
  });
});
