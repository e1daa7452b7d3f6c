import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Listings } from '../../src/skill/listings.js';
import { makeTree, plainSkill } from '../helpers/skill-tree.js';

/** A clock far from everything that a test writes. */
const LATER = () => Date.now() + 60_000;

const namesIn = ({ entries }: Awaited<ReturnType<Listings['list']>>) => entries.map(({ name }) => name);

describe('listings', () => {
  it('are handed out again until the directory looks different', async () => {
    const root = makeTree({ a: '', b: '' });
    const listings = new Listings(LATER);
    expect(await listings.list(root, 10)).toMatchObject({ isFresh: true, cut: false });
    listings.turnOver();
    const again = await listings.list(root, 10);
    expect(again.isFresh).toBe(false);
    expect(namesIn(again)).toEqual(['a', 'b']);
    listings.turnOver();
    rmSync(join(root, 'b'));
    const changed = await listings.list(root, 10);
    expect(changed.isFresh).toBe(true);
    expect(namesIn(changed)).toEqual(['a']);
  });

  it('keep of a skill only what makes it one', async () => {
    const root = makeTree({ 'SKILL.md': plainSkill('a'), 'Skill.md': '', other: '' });
    const listings = new Listings(LATER);
    expect(namesIn(await listings.list(root, 10))).toHaveLength(3);
    expect(namesIn(await listings.list(root, 10))).toEqual(['SKILL.md', 'Skill.md']);
  });

  it('forget what a whole search did not visit', async () => {
    const root = makeTree({ a: '' });
    const listings = new Listings(LATER);
    await listings.list(root, 10);
    listings.turnOver();
    listings.turnOver();
    expect((await listings.list(root, 10)).isFresh).toBe(true);
  });

  it('do not trust a directory that was written to a moment before', async () => {
    const root = makeTree();
    const listings = new Listings(Date.now);
    for (let n = 0; n < 50; n++) {
      writeFileSync(join(root, `f${n}`), '');
      expect(namesIn(await listings.list(root, 100))).toHaveLength(n + 1);
    }
  });

  it('reject with the errno of what is no directory', async () => {
    await expect(new Listings(LATER).list('/nonexistent/x', 10)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
