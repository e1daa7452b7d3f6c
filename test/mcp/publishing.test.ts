import { chmodSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Publishing } from '../../src/mcp/publishing.js';
import { namesOf, scan } from '../helpers/scan.js';
import { type Leaf, makeTree, plainSkill, skillMd } from '../helpers/skill-tree.js';

async function look(leaves: Readonly<Record<string, Leaf>>) {
  const root = makeTree(leaves);
  const catalog = await scan([root]);
  const publishing = new Publishing();
  const problems = await publishing.problems(catalog);
  return { root, catalog, publishing, problems };
}

/** Why the one skill of the tree is not published; undefined when it is. */
async function reasonFor(leaves: Readonly<Record<string, Leaf>>): Promise<string | undefined> {
  const { catalog, publishing, problems } = await look(leaves);
  const [skill] = catalog.skills;
  if (skill === undefined) throw new Error('the tree holds no skill');
  const entry = await publishing.publish(catalog, skill);
  expect('fault' in entry).toBe(problems.length === 1);
  if (problems.length === 0) return undefined;
  expect(problems[0]).toMatchObject({ path: skill.directory, reason: 'extension-unpublished' });
  return problems[0]?.detail;
}

describe('a skill is not published [surfaces.unpublished]', () => {
  it.each<[string, Record<string, Leaf>, RegExp]>([
    ['another name than its directory', { 'a/SKILL.md': plainSkill('b') }, /must match/],
    ['a name against the format', { 'Big_One/SKILL.md': plainSkill('Big_One') }, /lowercase/],
    ['a name in another script', { '技能/SKILL.md': plainSkill('技能') }, /lowercase/],
    ['no name', { 'a/SKILL.md': skillMd('description: x') }, /name/],
    ['no description', { 'a/SKILL.md': skillMd('name: a') }, /description/],
    ['a repaired head', { 'a/SKILL.md': skillMd('name: a\ndescription: x: y') }, /": "/],
    [
      'metadata that is no text',
      { 'a/SKILL.md': skillMd('name: a\ndescription: x\nmetadata:\n  n: 1') },
      /metadata/,
    ],
    ['a link inside', { 'a/SKILL.md': plainSkill('a'), 'a/b.md': { link: 'SKILL.md' } }, /symbolic links/],
    ['a link out of it', { 'a/SKILL.md': plainSkill('a'), 'a/b': { link: '/etc/passwd' } }, /symlink-escape/],
    ['a name that no tool can address', { 'a/SKILL.md': plainSkill('a'), 'a/50%.md': 'x' }, /unusable-path/],
    [
      'a file over 1 MiB',
      { 'a/SKILL.md': plainSkill('a'), 'a/big.bin': Buffer.alloc(1024 * 1024 + 1) },
      /big\.bin is 1048577 bytes/,
    ],
    [
      'more than 512 files',
      {
        'a/SKILL.md': plainSkill('a'),
        ...Object.fromEntries(Array.from({ length: 512 }, (_, n) => [`a/f${n}`, ''])),
      },
      /513 files/,
    ],
    [
      'more than 16 MiB',
      {
        'a/SKILL.md': plainSkill('a'),
        ...Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`a/f${n}`, Buffer.alloc(1024 * 1024)])),
      },
      /at most 16777216/,
    ],
  ])('with %s', async (_what, leaves, reason) => {
    expect(await reasonFor(leaves)).toMatch(reason);
  });

  it('and is, with all that the format allows, up to 1 MiB of SKILL.md', async () => {
    const leaves = {
      'a/SKILL.md': `\ufeff${skillMd('name: a\r\ndescription: "x: y"\r\nextra: [1, 2]', 'é'.repeat(400_000))}`,
      'a/set up.md': 'x',
      'a/x#1?.md': 'x',
      'a/.hidden': 'x',
      'a/full.bin': Buffer.alloc(1024 * 1024),
    };
    expect(await reasonFor(leaves)).toBeUndefined();
  });

  it('which is one row when there are more than twenty', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [`s${n}/SKILL.md`, plainSkill('other')]),
    );
    const { root, problems } = await look({ ...many, 'good/SKILL.md': plainSkill('good') });
    expect(problems).toEqual([
      { path: root, reason: 'extension-unpublished', detail: expect.stringMatching(/^21 skills .*s0 /) },
    ]);
  });
});

describe('a manifest [surfaces.extension]', () => {
  it('is read again for what has changed, also when length and time are the same', async () => {
    const { root, catalog, publishing } = await look({
      'a/SKILL.md': plainSkill('a'),
      'a/b.txt': 'one',
      'a/c.txt': 'stays',
    });
    const [skill] = catalog.skills;
    if (skill === undefined) throw new Error('not found');
    const digestOf = async () => {
      const entry = await publishing.publish(catalog, skill);
      if ('fault' in entry || entry.resources === 'dynamic') throw new Error('not published');
      return entry.resources.find(({ uri }) => uri.endsWith('/b.txt'))?.digest;
    };
    const before = await digestOf();
    const read = publishing.bytesRead;
    expect(await digestOf()).toBe(before);
    expect(publishing.bytesRead).toBe(read);
    writeFileSync(join(root, 'a/b.txt'), 'two');
    utimesSync(join(root, 'a/b.txt'), 1, 1);
    expect(await digestOf()).not.toBe(before);
    expect(publishing.bytesRead).toBe(read + 3);
  });

  it.skipIf(process.getuid?.() === 0)('is refused when a file may not be read', async () => {
    const { root, catalog, publishing } = await look({ 'a/SKILL.md': plainSkill('a'), 'a/b.txt': 'x' });
    expect(namesOf(catalog)).toEqual(['a']);
    chmodSync(join(root, 'a/b.txt'), 0);
    const [skill] = catalog.skills;
    if (skill === undefined) throw new Error('not found');
    expect(await publishing.publish(catalog, skill)).toEqual({ fault: expect.stringMatching(/unreadable/) });
  });
});
