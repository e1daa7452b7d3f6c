import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSkills } from '../../src/source/find-skills.js';
import { readSource } from '../../src/source/read-source.js';

let folder: string;
let base: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'find-skills-'));
  base = path.join(folder, 'base');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(relative: string, root = base): void {
  const directory = path.join(root, relative);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'SKILL.md'), '---\nname: x\ndescription: d\n---\n');
}

async function find(paths: readonly string[] = ['.'], trusted = false) {
  const { candidates, problems } = await findSkills({ id: 'src', base, paths, trusted });
  return {
    found: candidates.map(({ path: place }) => path.relative(base, place)),
    problems: problems.map(({ path: place, reason }) => [reason, path.relative(base, place)]),
  };
}

describe('the skills of a source', () => {
  it('lie at most six levels below a path', async () => {
    put('1/2/3/4/5/six');
    put('1/2/3/4/5/6/seven');
    expect(await find()).toEqual({ found: ['1/2/3/4/5/six'], problems: [['not-scanned', '1/2/3/4/5/6']] });
    expect((await find(['1'])).found).toEqual(['1/2/3/4/5/six', '1/2/3/4/5/6/seven']);
  });

  it('may be the path itself, and nothing below a skill is one', async () => {
    put('skills/one');
    put('skills/one/inner');
    expect((await find(['skills/one'])).found).toEqual(['skills/one']);
    put('.');
    expect((await find()).found).toEqual(['']);
  });

  it('lie in a dot directory only when a path names it', async () => {
    put('.hidden/skills/a');
    put('b');
    expect((await find()).found).toEqual(['b']);
    expect((await find(['.hidden/skills'])).found).toEqual(['.hidden/skills/a']);
  });

  it('are the original before copies, then the shallower, then the first by path; the others are named', async () => {
    for (const place of ['plugins/p/a', 'z/y/a', 'upstream/a', 'z/b', 'y/b', 'plugins/q/c']) put(place);
    expect(await find()).toEqual({
      found: ['y/b', 'z/y/a', 'plugins/q/c'],
      problems: [
        ['shadowed', 'z/b'],
        ['shadowed', 'upstream/a'],
        ['shadowed', 'plugins/p/a'],
      ],
    });
  });

  it('are reached once by overlapping paths and by links in a circle', async () => {
    put('skills/a');
    symlinkSync('..', path.join(base, 'skills/loop'));
    symlinkSync('a', path.join(base, 'skills/again'));
    const { found } = await find(['skills', '.']);
    expect(found).toEqual(['skills/a']);
  });

  it('are followed out of their source only directly below one that is trusted', async () => {
    put('outside', folder);
    mkdirSync(path.join(base, 'deep'), { recursive: true });
    for (const link of ['linked', 'deep/linked2'])
      symlinkSync(path.join(folder, 'outside'), path.join(base, link));
    symlinkSync('/nowhere', path.join(base, 'broken'));
    expect(await find()).toEqual({
      found: [],
      problems: [
        ['symlink-escape', 'broken'],
        ['symlink-escape', 'linked'],
        ['symlink-escape', 'deep/linked2'],
      ],
    });
    expect(await find(['.'], true)).toEqual({
      found: ['linked'],
      problems: [
        ['symlink-escape', 'broken'],
        ['symlink-escape', 'deep/linked2'],
      ],
    });
  });

  it('are not looked for beyond twenty thousand entries, and that is said', async () => {
    const many = path.join(base, 'many');
    mkdirSync(many, { recursive: true });
    for (let index = 0; index < 20_050; index++) writeFileSync(path.join(many, `${index}.txt`), '');
    put('zebra');
    expect((await find()).problems).toEqual([['file-limit', 'many']]);
  });

  it('are not found in a source that is not there', async () => {
    expect((await find(['.', 'x'])).problems).toEqual([['source', '']]);
    put('a');
    expect((await find(['x', '..'])).problems).toEqual([
      ['source', 'x'],
      ['symlink-escape', '..'],
    ]);
  });

  it('have no script that runs, whatever they declare [sources.read-only]', async () => {
    put('a');
    writeFileSync(path.join(base, 'a/go.mjs'), '');
    writeFileSync(
      path.join(base, 'a/SKILL.md'),
      '---\nname: a\ndescription: d\nmcp-host:\n  version: 1\n  run:\n    - script: go.mjs\n      interpreter: node\n---\n',
    );
    const { skills } = await readSource({ id: 'src', base, paths: ['.'], trusted: false }, { strict: false });
    expect(skills[0]).toMatchObject({
      sourceId: 'src',
      declaration: { run: [] },
      missingScripts: [{ script: 'go.mjs', reason: expect.stringContaining('read-only') }],
    });
  });
});
