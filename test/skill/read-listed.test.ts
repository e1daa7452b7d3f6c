import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readListed } from '../../src/skill/read-listed.js';
import { makeTree } from '../helpers/skill-tree.js';

const KIB = 1024;

describe.runIf(process.platform === 'linux')('a file as it was listed', () => {
  it('is read up to the cap', async () => {
    const root = makeTree({ 'SKILL.md': 'x'.repeat(3_000) });
    const read = await readListed(root, 'SKILL.md', KIB);
    expect(read).toMatchObject({ size: 3_000, truncated: true });
    expect(read?.bytes.toString()).toBe('x'.repeat(KIB));
    expect(read?.stats.size).toBe(3_000);
    writeFileSync(join(root, 'SKILL.md'), '');
    expect(await readListed(root, 'SKILL.md', KIB)).toMatchObject({ size: 0, truncated: false });
  });

  it('is left to the careful way when it is anything else by now', async () => {
    const root = makeTree({ 'real.md': 'x', 'dir/x': '', loop: { link: 'loop' }, dead: { link: 'gone' } });
    symlinkSync('real.md', join(root, 'link.md'));
    symlinkSync(root, join(root, 'self'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    for (const name of [
      'link.md',
      'dir',
      'loop',
      'dead',
      'pipe',
      'absent',
      'dir/../real.md',
      'self/real.md',
    ]) {
      expect(await readListed(root, name, KIB), name).toBeUndefined();
    }
    // Nothing stays open, whatever the outcome.
    const before = readdirSync('/proc/self/fd').length;
    for (let n = 0; n < 50; n++) await readListed(root, n % 2 === 0 ? 'pipe' : 'real.md', KIB);
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  });

  it('never gives bytes from where a swapped directory leads', { timeout: 120_000 }, async () => {
    const root = makeTree({ 'skill/SKILL.md': 'inside', 'evil/SKILL.md': 'SECRET', lnk: { link: 'evil' } });
    const swapper = fork(
      fileURLToPath(new URL('../fixtures/callers/swap-directory.mjs', import.meta.url)),
      ['skill', 'aside', 'lnk'].map((name) => join(root, name)),
    );
    await once(swapper, 'message');
    const seen = { inside: 0, passed: 0 };
    try {
      const attempt = async (): Promise<void> => {
        const read = await readListed(join(root, 'skill'), 'SKILL.md', KIB);
        if (read === undefined) seen.passed += 1;
        else seen.inside += 1;
        if (read !== undefined) expect(read.bytes.toString()).toBe('inside');
      };
      const endMs = performance.now() + 60_000;
      const isEnough = () => seen.inside > 3 && seen.passed > 1_000;
      while (!isEnough() && performance.now() < endMs) await Promise.all([attempt(), attempt(), attempt()]);
    } finally {
      const ended = once(swapper, 'exit');
      swapper.disconnect();
      await ended;
    }
    // Both outcomes were met, or nothing was raced.
    expect(seen.inside).toBeGreaterThan(3);
    expect(seen.passed).toBeGreaterThan(1_000);
  });
});
