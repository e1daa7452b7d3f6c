import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../src/registry/lock-file.js';
import { readSkillHead } from '../../../src/registry/skill-head.js';
import type { BareRepository } from '../../helpers/fake-github/bare-repository.js';
import { GH_MISSING, skillMd } from '../../helpers/fake-github/open-registry.js';
import { FakeGitHub } from '../../helpers/fake-github/server.js';
import { expectGone, SERVER } from '../../helpers/raw-server.js';
import { livingProcesses } from '../../helpers/supervised.js';

// Every call is a process of its own, and other tests run beside.
vi.setConfig({ testTimeout: 120_000 });

const LONG_MS = 240_000;

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function run(args: string[], env: Record<string, string>, cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SERVER, 'registry', ...args], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe.skipIf(GH_MISSING)(`skill-mcp registry ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let work: string;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    work = mkdtempSync(path.join(fake.directory, 'work-'));
    await bare.commit({
      'README.md': 'hello\n',
      'demo/SKILL.md': skillMd('demo'),
      'demo/run.sh': { mode: '100755', content: 'echo\n' },
    });
  });
  afterEach(() => fake.close());

  const cli = (...args: string[]) => run(args, { SKILLS_REGISTRY: 'acme/skills', ...fake.variables }, work);
  const json = async (...args: string[]) => {
    const { code, out, err } = await cli(...args, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    return JSON.parse(out);
  };
  function write(name: string, text: string): string {
    const folder = path.join(work, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'SKILL.md'), text);
    return folder;
  }

  it('lists and gets, for people and as one line of JSON', async () => {
    expect(await cli('list')).toEqual({ code: 0, out: 'demo  What demo does.\n', err: '' });
    expect(await json('list')).toMatchObject({
      repo: 'acme/skills',
      branch: 'main',
      skills: [{ slug: 'demo' }],
      problems: [],
    });
    const { path: folder, treeSha } = await json('get', 'demo');
    expect(treeSha).toBe(await bare.treeOf('demo'));
    expect((await cli('get', 'demo')).out).toBe(`${folder}\n`);
    expect(await cli('get', 'nope')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('was not found'),
    });
  });

  it('publishes, deletes and rolls back', async () => {
    write('fresh', skillMd('fresh'));
    expect(await json('publish', 'fresh', '--dry-run')).toMatchObject({ status: 'dry-run' });
    const first = await json('publish', 'fresh', '--version', 'v1.0.0');
    expect(first).toMatchObject({ slug: 'fresh', status: 'created' });
    write('fresh', skillMd('fresh', 'two'));
    expect(await cli('publish', 'fresh', '--expect', 'a'.repeat(40))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/CONFLICT "fresh" .* is at tree/),
    });
    expect((await cli('publish', 'fresh', '--expect', first.treeSha)).out).toMatch(
      /^Published `fresh` to acme\/skills@/,
    );
    expect(await cli('delete', 'fresh')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    expect(await json('delete', 'fresh', '--yes')).toMatchObject({ status: 'deleted' });
    expect(await bare.treeOf('fresh')).toBeUndefined();
    expect(await json('rollback', 'fresh', '1.0.0')).toMatchObject({
      status: 'rolled-back',
      treeSha: first.treeSha,
    });
    await bare.fsck();
  });

  it('installs with the keys that other tools read, and pins every byte [registry.install]', async () => {
    const { path: folder, treeSha } = await json('install', 'demo', '--to', 'own/skills');
    expect(folder).toBe(path.join(work, 'own/skills/demo'));
    expect(readSkillHead(readFileSync(path.join(folder, 'SKILL.md')))).toMatchObject({
      values: {
        metadata: {
          'github-repo': 'https://github.com/acme/skills',
          'github-path': 'demo',
          'github-ref': 'refs/heads/main',
          'github-tree-sha': treeSha,
        },
      },
    });
    expect(statSync(path.join(folder, 'run.sh')).mode & 0o111).not.toBe(0);
    const lockFile = path.join(work, 'own/skill-mcp.lock.json');
    expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toEqual({
      version: 1,
      skills: {
        'skills/demo': {
          repo: 'https://github.com/acme/skills',
          path: 'demo',
          ref: 'refs/heads/main',
          treeSha,
          files: {
            'SKILL.md': sha256(readFileSync(path.join(folder, 'SKILL.md'))),
            'run.sh': sha256(Buffer.from('echo\n')),
          },
        },
      },
    });
    expect(readdirSync(path.join(work, 'own/skills'))).toEqual(['demo']);
    // What is installed is published again as what it was.
    expect(await json('publish', 'own/skills/demo')).toMatchObject({ status: 'unchanged' });
  });

  it('replaces what it installed, and nothing that was changed or came from elsewhere [registry.install]', async () => {
    write('skills/demo', 'mine');
    expect(await cli('install', 'demo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('not installed by this program'),
    });
    rmSync(path.join(work, 'skills'), { recursive: true });
    await json('install', 'demo');
    await bare.commit({ 'demo/SKILL.md': skillMd('demo', 'two'), 'demo/run.sh': undefined });
    await json('install', 'demo');
    expect(readdirSync(path.join(work, 'skills/demo'))).toEqual(['SKILL.md']);
    appendFileSync(path.join(work, 'skills/demo/SKILL.md'), 'mine');
    expect(await cli('install', 'demo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('skills/demo/SKILL.md has changed'),
    });
  });

  it('installs a version as pinned, several at a time into one lock file', async () => {
    write('fresh', skillMd('fresh'));
    await json('publish', 'fresh', '--version', '1.0.0');
    const ended = await Promise.all([cli('install', 'fresh', '--version', '1.0.0'), cli('install', 'demo')]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const lock = JSON.parse(readFileSync(path.join(work, 'skill-mcp.lock.json'), 'utf8'));
    expect(Object.keys(lock.skills)).toEqual(['skills/demo', 'skills/fresh']);
    expect(lock.skills['skills/fresh'].ref).toBe('refs/tags/fresh/v1.0.0');
    expect(readSkillHead(readFileSync(path.join(work, 'skills/fresh/SKILL.md')))).toMatchObject({
      values: { metadata: { 'github-pinned': 'fresh/v1.0.0', 'github-ref': 'refs/tags/fresh/v1.0.0' } },
    });
  });

  it('verifies copies and pins without any call, and names each harmed one', async () => {
    const { path: copy } = await json('get', 'demo');
    await json('install', 'demo');
    fake.takeCalls();
    const variables = { HOME: fake.variables.HOME ?? '', PATH: '/nowhere' };
    const verify = (...args: string[]) => run(['verify', ...args], variables, work);
    expect(await verify()).toEqual({ code: 0, out: '1 copies, all whole\n', err: '' });
    expect((await verify('--lock', 'skill-mcp.lock.json')).code).toBe(0);
    chmodSync(path.join(copy, 'run.sh'), 0o644);
    writeFileSync(path.join(work, 'skills/demo/more'), '');
    rmSync(path.join(work, 'skills/demo/run.sh'));
    expect(await verify()).toMatchObject({ code: 1, err: expect.stringContaining(copy) });
    const pins = await verify('--lock', 'skill-mcp.lock.json', '--json');
    expect(pins.code).toBe(1);
    expect(JSON.parse(pins.out)).toEqual({
      checked: 1,
      harmed: ['skills/demo/run.sh is missing', 'skills/demo/more was added'],
    });
    expect((await verify('--lock', 'nope.json')).code).toBe(1);
    expect(fake.takeCalls()).toEqual([]);
  });

  it(
    'twelve processes publish at the same moment, and all land',
    async () => {
      const names = Array.from({ length: 12 }, (_, n) => `skill-${n}`);
      for (const name of names) write(name, skillMd(name));
      const ended = await Promise.all(names.map((name) => cli('publish', name)));
      expect(ended.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, '']));
      const log = await bare.log();
      expect(log).toHaveLength(13);
      expect(log.filter(({ parents }) => parents !== 1)).toHaveLength(1);
      await bare.fsck();
    },
    LONG_MS,
  );

  it('ends with the code that says what is missing', async () => {
    const home = { HOME: work, PATH: fake.variables.PATH ?? '' };
    const codeOf = async (args: string[], env: Record<string, string>) => (await run(args, env, work)).code;
    expect(await codeOf(['list'], home)).toBe(2);
    expect(await codeOf(['list'], { ...home, SKILLS_REGISTRY: 'a/b', GH_BIN: '/no/gh' })).toBe(3);
    expect(await codeOf(['list'], { ...home, SKILLS_REGISTRY: 'a/b' })).toBe(4);
    for (const args of [
      [],
      ['nope'],
      ['get'],
      ['get', 'a', 'b'],
      ['list', '--nope'],
      ['publish', '.', '--name'],
      ['init'],
    ]) {
      const ended = await run(args, home, work);
      expect([args, ended.code, ended.out]).toEqual([args, 2, '']);
      expect(ended.err).toContain('usage: skill-mcp registry');
    }
    expect((await run(['--help'], home, work)).out).toContain('rollback <slug>');
  });

  it('leaves nothing alive when it is interrupted', async () => {
    const hanging = path.join(work, 'hanging-gh');
    writeFileSync(hanging, '#!/bin/sh\nsleep 50 & sleep 50\n');
    chmodSync(hanging, 0o755);
    const env = { SKILLS_REGISTRY: 'acme/skills@main', ...fake.variables, GH_BIN: hanging };
    const child = spawn(process.execPath, [SERVER, 'registry', 'list'], { env, stdio: 'ignore' });
    const below = () => {
      const rows = livingProcesses();
      const pids = [child.pid ?? 0];
      for (const pid of pids) pids.push(...rows.filter(({ parent }) => parent === pid).map((row) => row.pid));
      return pids;
    };
    // Itself, the supervisor, the shell and its two sleeps.
    await expect.poll(() => below().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(5);
    const pids = below();
    child.kill('SIGINT');
    await expectGone(pids, 20_000);
  });

  it('writes a configuration, and never over one', async () => {
    const home = { HOME: work, PATH: fake.variables.PATH ?? '' };
    const file = path.join(work, '.config/skills-mcp/registry.toml');
    expect(await run(['init', '--repo', 'nonsense'], home, work)).toMatchObject({ code: 2 });
    expect(await run(['init', '--repo', 'acme/skills'], home, work)).toMatchObject({
      code: 0,
      out: `Wrote ${file}\n`,
    });
    const text = readFileSync(file, 'utf8');
    expect(await run(['init', '--repo', 'other/repo'], home, work)).toMatchObject({ code: 1 });
    expect(readFileSync(file, 'utf8')).toBe(text);
    const listed = await run(
      ['list', '--json'],
      { ...fake.variables, XDG_CONFIG_HOME: path.join(work, '.config') },
      work,
    );
    expect(JSON.parse(listed.out).repo).toBe('acme/skills');
  });
});
