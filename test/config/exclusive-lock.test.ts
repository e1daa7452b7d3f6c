import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from '../../src/config/exclusive-lock.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'exclusive-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('lets one in at a time, and the next one after a failure', async () => {
  const file = path.join(folder, 'a', 'file');
  let inside = 0;
  let most = 0;
  const visits = Array.from({ length: 10 }, (_, index) =>
    withLock(file, 20_000, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      if (index % 3 === 0) throw new Error('failed');
      return index;
    }),
  );
  const ended = await Promise.allSettled(visits);
  expect(ended.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(4);
  expect(most).toBe(1);
});

it('takes over from a holder that died, one at a time too', async () => {
  const file = path.join(folder, 'file');
  mkdirSync(`${file}.lock`);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(`${file}.lock`, longAgo, longAgo);
  let inside = 0;
  let most = 0;
  await Promise.all(
    [1, 2, 3].map(() =>
      withLock(file, 20_000, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 100));
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
});

it('gives up after its time while another holds it', async () => {
  const file = path.join(folder, 'file');
  await withLock(file, 1_000, async () => {
    await expect(withLock(file, 100, async () => undefined)).rejects.toThrow('is in use by another process');
  });
});
