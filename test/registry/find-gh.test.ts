import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findGh, GhMissing } from '../../src/registry/find-gh.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'find-gh-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function place(folder: string, mode = 0o755): string {
  const file = path.join(home, folder, 'gh');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}
const find = (searchPath: string, ghBin?: string) => findGh({ ghBin, searchPath, home });

it('takes the first on PATH that is a program, and no relative folder', async () => {
  place('a', 0o644);
  mkdirSync(path.join(home, 'b/gh'), { recursive: true });
  const real = place('c');
  symlinkSync(real, path.join(home, 'link'));
  const searchPath = ['a', 'b', 'c'].map((name) => path.join(home, name)).join(':');
  expect(await find(`.:bin::${searchPath}`)).toBe(real);
});

it.each(['.local/bin', '.nix-profile/bin', 'bin'])('looks into ~/%s when PATH has none', async (folder) => {
  const own = place(folder);
  const found = await find('/nowhere');
  // A gh of the system may come before ~/bin and the like.
  if (folder === '.local/bin') expect(found).toBe(own);
  else expect([own, '/usr/local/bin/gh', '/usr/bin/gh']).toContain(found);
});

it('obeys GH_BIN alone, and names it when it is no program', async () => {
  const own = place('own');
  expect(await find('/usr/bin', own)).toBe(own);
  for (const bad of ['/no/gh', place('plain', 0o644), home, 'gh']) {
    const failed = find('/usr/bin', bad);
    await expect(failed).rejects.toBeInstanceOf(GhMissing);
    await expect(failed).rejects.toThrow(bad);
  }
});
