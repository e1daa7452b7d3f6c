import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, runProgram, startProgram } from '../helpers/command-line.js';
import { GitWorld, skillText } from '../helpers/git-remote.js';

let world: GitWorld;
beforeEach(() => {
  world = new GitWorld();
});
afterEach(() => world.remove());

const run = (...args: string[]): Promise<Ended> => runProgram(args, world.variables);
const add = (spec: object) => run('sources', 'add', JSON.stringify(spec));
const parse = ({ out }: Ended) => JSON.parse(out);
const GITHUB = { kind: 'github', id: 'team', repo: 'owner/name' };

describe('skill-mcp sources', () => {
  it('adds, lists, syncs and removes; results are JSON on stdout and nothing else is printed into a pipe', async () => {
    world.repository('owner/name', { 'skills/pdf-forms/SKILL.md': skillText('pdf-forms') });
    expect(await add(GITHUB)).toEqual({ code: 0, out: '{\n  "added": "team"\n}\n', err: '' });
    const listed = await run('sources', 'list');
    expect(parse(listed)).toMatchObject({ sources: [GITHUB], problems: [{ reason: 'source' }] });
    const synced = await run('sources', 'sync', 'team');
    expect([synced.code, synced.err]).toEqual([0, '']);
    expect(parse(synced).outcomes).toMatchObject([{ id: 'team', ok: true, status: 'synced', skills: 1 }]);
    const found = await run('find', '--json', 'fill', 'pdf', 'forms');
    expect(parse(found)).toMatchObject({
      needsSkill: null,
      ranker: 'bm25',
      candidates: [{ id: 'pdf-forms' }],
    });
    expect(existsSync(path.join(world.cache, 'sources/team'))).toBe(true);
    expect(await run('sources', 'remove', 'team')).toEqual({
      code: 0,
      out: '{\n  "removed": "team"\n}\n',
      err: '',
    });
    expect(existsSync(path.join(world.cache, 'sources/team'))).toBe(false);
    expect(parse(await run('sources', 'list'))).toEqual({ sources: [], problems: [] });
  });

  it('exits with 1 and says why for what cannot be done', async () => {
    for (const [args, words] of [
      [['sources', 'add', '{'], /not JSON/],
      [['sources', 'add', '{"kind":"github","id":"x","repo":"--upload-pack=x"}'], /repo must be owner\/name/],
      [['sources', 'add', '{"kind":"local","id":"x","path":"relative"}'], /path must be absolute/],
      [['sources', 'add', '{"kind":"github","id":"x","repo":"a/b","extra":1}'], /extra/i],
      [['sources', 'remove', 'ghost'], /no source "ghost"/],
      [['sources', 'sync', 'ghost'], /no source "ghost"/],
    ] as const) {
      const ended = await run(...args);
      expect([args, ended.code, ended.out]).toEqual([args, 1, '']);
      expect(ended.err).toMatch(words);
      expect(ended.err.trim().split('\n')).toHaveLength(1);
    }
    await add(GITHUB);
    expect(await add(GITHUB)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the id team is taken'),
    });
    const failed = await run('sources', 'sync');
    expect(failed.code).toBe(1);
    expect(parse(failed).outcomes).toMatchObject([{ id: 'team', ok: false, status: 'failed' }]);
    expect(failed.err).toMatch(/^skill-mcp: team: /);
  });

  it('exits with 2 for an unknown or incomplete command', async () => {
    for (const args of [
      ['nonsense'],
      ['sources'],
      ['sources', 'nonsense'],
      ['sources', 'add'],
      ['sources', 'remove'],
      ['sources', 'sync', 'a', 'b'],
      ['sources', 'list', '--all'],
      ['find', 'task'],
      ['find', '--json'],
      ['opencode'],
      ['opencode', 'plan', '--nonsense'],
    ]) {
      const ended = await run(...args);
      expect([args, ended.code, ended.out]).toEqual([args, 2, '']);
      expect(ended.err).toMatch(/^skill-mcp: /);
    }
  }, 60_000);

  it('explains itself when asked', async () => {
    for (const command of ['sources', 'find', 'opencode']) {
      const ended = await run(command, '--help');
      expect([ended.code, ended.err]).toEqual([0, '']);
      expect(ended.out).toContain(`skill-mcp ${command}`);
    }
  });

  it('names a broken config, changes nothing, and exits with 1', async () => {
    mkdirSync(path.dirname(world.config), { recursive: true });
    writeFileSync(world.config, '{"sources": [');
    const listed = await run('sources', 'list');
    expect(listed.code).toBe(1);
    expect(listed.err).toMatch(/is broken: not JSON.* 1:14/);
    expect(parse(listed).problems).toMatchObject([{ reason: 'config' }]);
    expect((await add(GITHUB)).code).toBe(1);
    expect((await run('find', '--json', 'x')).code).toBe(1);
    expect(readFileSync(world.config, 'utf8')).toBe('{"sources": [');
  });

  it('removes an entry that never was a source, and nothing outside of the cache', async () => {
    const precious = path.join(world.directory, 'precious');
    mkdirSync(precious);
    mkdirSync(path.dirname(world.config), { recursive: true });
    writeFileSync(world.config, JSON.stringify({ sources: [{ kind: 'github', id: '../../precious' }] }));
    expect(parse(await run('sources', 'remove', '../../precious'))).toEqual({ removed: '../../precious' });
    expect(existsSync(precious)).toBe(true);
  });

  it('heals after it was killed, at whatever point of a sync [sources.heal]', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    await add(GITHUB);
    for (const delayMs of [150, 250, 350, 450, 550, 700]) {
      const sha = remote.commit({ 'skills/a/SKILL.md': skillText('a', String(delayMs)) });
      const child = startProgram(['sources', 'sync'], world.variables);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      const ended = await run('sources', 'sync');
      expect(parse(ended).outcomes).toMatchObject([{ ok: true, sha }]);
      const left = readdirSync(path.join(world.cache, 'sources/team')).filter((name) => name !== 'current');
      const whole = left.filter((name) =>
        existsSync(path.join(world.cache, 'sources/team', name, 'source.json')),
      );
      expect(left).toEqual(whole);
      expect(left.length).toBeLessThanOrEqual(2);
    }
  }, 120_000);

  it('lets several processes sync one source at once [sources.heal]', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    const sha = remote.git(['rev-parse', 'HEAD']);
    await add(GITHUB);
    const ended = await Promise.all([1, 2, 3].map(() => run('sources', 'sync')));
    for (const one of ended) expect(parse(one).outcomes).toMatchObject([{ ok: true, sha }]);
  }, 60_000);
});
