import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { walkBundle } from '../../src/skill/bundle.js';
import { makeTree } from '../helpers/skill-tree.js';

describe('walkBundle', () => {
  it('lists files by path with their sizes, and none that is hidden', async () => {
    const directory = makeTree({
      'SKILL.md': '12345',
      'b/c.md': '1',
      'b-a.md': '22',
      'café.md': '',
      '.env': 'x',
      '.git/config': 'x',
      '._x': 'x',
      'node_modules/a/index.js': 'x',
      'lib/__pycache__/a.pyc': 'x',
      '.venv/bin/python': 'x',
    });
    expect(await walkBundle(directory)).toEqual({
      files: [
        { path: 'SKILL.md', size: 5 },
        { path: 'b-a.md', size: 2 },
        { path: 'b/c.md', size: 1 },
        { path: 'café.md', size: 0 },
      ],
      bytes: 8,
      insideLinks: 0,
      problems: [],
    });
  });

  it('counts links that stay, names those that leave or lead nowhere', async () => {
    const directory = makeTree({
      'a.md': 'x',
      'd/b.md': 'x',
      in: { link: 'a.md' },
      dir: { link: 'd' },
      'd/up': { link: '..' },
      out: { link: '/etc/passwd' },
      LICENSE: { link: 'LICENSE' },
      dead: { link: 'gone' },
      null: { link: '/dev/null' },
    });
    const { files, insideLinks, problems } = await walkBundle(directory);
    expect(files.map(({ path }) => path)).toEqual(['a.md', 'd/b.md']);
    expect(insideLinks).toBe(3);
    expect(
      problems.map(({ path, reason, detail }) => [path.slice(directory.length + 1), reason, detail]).sort(),
    ).toEqual([
      ['LICENSE', 'symlink-escape', expect.stringMatching(/^broken symlink -> LICENSE \(ELOOP/)],
      ['dead', 'symlink-escape', 'broken symlink -> gone (its target does not exist)'],
      ['null', 'symlink-escape', expect.stringContaining('-> /dev/null')],
      ['out', 'symlink-escape', 'symlink out of the skill -> /etc/passwd; it is not served'],
    ]);
  });

  it('names what cannot be addressed or is no file, and opens none of it', async () => {
    const directory = makeTree({
      'SKILL.md': 'x',
      'a%20b.md': 'x',
      'a\\b.md': 'x',
      'new\nline.md': 'x',
      'c:/d.md': 'x',
    });
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/bad-`), Buffer.from([0xff, 0x80])]), 'x');
    const { files, problems } = await walkBundle(directory);
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md']);
    expect(problems.map(({ path, detail }) => [path.slice(directory.length + 1), detail]).sort()).toEqual([
      ['a%20b.md', expect.stringContaining('percent')],
      ['a\\b.md', expect.stringContaining('backslash')],
      ['bad-\\xff\\x80', 'the name is not valid UTF-8'],
      ['c:', expect.stringContaining('drive letter')],
      ['new\\u{a}line.md', expect.stringContaining('control character')],
      ['pipe', 'special file (FIFO, socket or device)'],
    ]);
    expect(problems.every(({ reason }) => reason === 'unusable-path')).toBe(true);
  });

  it('stops at its caps and says so', async () => {
    const directory = makeTree({ 'SKILL.md': 'x' });
    for (let index = 0; index < 2_100; index++) writeFileSync(join(directory, `f${index}`), '');
    const many = await walkBundle(directory);
    expect(many.files).toHaveLength(2_000);
    expect(many.problems).toEqual([
      { path: directory, reason: 'file-limit', detail: 'more than 2000 files; the rest is not listed' },
    ]);
    const branched = makeTree({ 'SKILL.md': 'x' });
    for (let index = 0; index < 2_100; index++) mkdirSync(join(branched, `d${index}`));
    expect((await walkBundle(branched)).problems).toEqual([
      { path: branched, reason: 'file-limit', detail: 'more than 2000 directories; the rest is not listed' },
    ]);
  });

  it('passes a big cache by, in bounded time and with few handles', async () => {
    const directory = makeTree({ 'SKILL.md': 'x', 'node_modules/keep': '', 'big/keep': '' });
    for (let index = 0; index < 15_000; index++) {
      writeFileSync(join(directory, 'node_modules', `a-rather-long-name-of-a-file-${index}`), '');
      writeFileSync(join(directory, 'big', `a-rather-long-name-of-a-file-${index}`), '');
    }
    const { files, problems } = await walkBundle(directory);
    expect(files).toHaveLength(2_000);
    expect(problems).toMatchObject([{ reason: 'file-limit' }]);
    if (process.platform === 'linux') expect(readdirSync('/proc/self/fd').length).toBeLessThan(200);
  });

  it('reports a directory that is gone', async () => {
    const { files, problems } = await walkBundle('/nonexistent/skill');
    expect(files).toEqual([]);
    expect(problems).toMatchObject([{ reason: 'unusable-path', detail: 'ENOENT, does not exist' }]);
  });
});
