import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StampList } from '../../src/skill/stamp-list.js';
import { makeTree } from '../helpers/skill-tree.js';

/** A clock far from everything that a test writes: what was just written counts as settled. */
const LATER = () => Date.now() + 60_000;

/** Stamps of some paths below a fresh tree, and the tree. */
function stampsOf(paths: readonly string[], tree: Parameters<typeof makeTree>[0]) {
  const root = makeTree(tree);
  const stamps = new StampList(root + sep, LATER);
  for (const path of paths) stamps.look(path);
  return { root, stamps };
}

describe('a list of stamps', () => {
  it('holds while nothing changes', () => {
    const { stamps } = stampsOf(['a', 'gone', 'link'], { a: 'x', link: { link: 'a' } });
    expect(stamps.isSettled).toBe(true);
    expect(stamps.isStale()).toBe(false);
  });

  it.each<[string, (root: string) => void]>([
    ['another content', (root) => writeFileSync(join(root, 'a'), 'longer')],
    [
      'a content of the same length with the old time put back',
      (root) => {
        writeFileSync(join(root, 'a'), 'y');
        utimesSync(join(root, 'a'), 1_000, 1_000);
      },
    ],
    [
      'another file in its place',
      (root) => {
        writeFileSync(join(root, 'b'), 'x');
        utimesSync(join(root, 'b'), 1_000, 1_000);
        renameSync(join(root, 'b'), join(root, 'a'));
      },
    ],
    ['other rights', (root) => chmodSync(join(root, 'a'), 0o600)],
    ['its end', (root) => rmSync(join(root, 'a'))],
    ['the beginning of what was not there', (root) => writeFileSync(join(root, 'gone'), '')],
    ['a change behind a link', (root) => writeFileSync(join(root, 'target'), 'other')],
    [
      'a link that leads elsewhere',
      (root) => {
        rmSync(join(root, 'link'));
        symlinkSync('a', join(root, 'link'));
      },
    ],
  ])('notices %s', async (_what, change) => {
    const { root, stamps } = stampsOf(['a', 'gone', 'link'], {
      a: 'x',
      target: 'z',
      link: { link: 'target' },
    });
    utimesSync(join(root, 'a'), 1_000, 1_000);
    const own = new StampList(root + sep, LATER);
    for (const path of ['a', 'gone', 'link']) own.look(path);
    // The file system's clock ticks up to every 10 ms.
    await new Promise((resolve) => setTimeout(resolve, 30));
    change(root);
    expect(own.isStale()).toBe(true);
    expect(own.isSame(stamps)).toBe(false);
  });

  it('looks only at the part that it is asked about', () => {
    const { root, stamps } = stampsOf(['a', 'b'], { a: 'x', b: 'x' });
    rmSync(join(root, 'b'));
    expect(stamps.isStale(0, 1)).toBe(false);
    expect(stamps.isStale(1)).toBe(true);
  });

  it('does not trust what was written a moment before', () => {
    const root = makeTree({ a: 'x' });
    const now = new StampList(root + sep, Date.now);
    now.look('a');
    expect(now.isSettled).toBe(false);
    expect(now.isStale()).toBe(true);
    // A clock that was set back must not make everything look new for ever.
    const back = new StampList(root + sep, () => Date.now() - 3_600_000);
    back.look('a');
    expect(back.isStale()).toBe(false);
  });

  it('takes what may not be looked at for absent', () => {
    const { root, stamps } = stampsOf(['loop'], { loop: { link: 'loop' } });
    expect(stamps.isStale()).toBe(false);
    rmSync(join(root, 'loop'));
    mkdirSync(join(root, 'loop'));
    expect(stamps.isStale()).toBe(true);
  });
});
