import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../helpers/command-line.js';
import { GitWorld, skillText } from '../helpers/git-remote.js';
import { RawServer } from '../helpers/raw-server.js';

let world: GitWorld;
let server: RawServer;
beforeEach(() => {
  world = new GitWorld();
});
afterEach(async () => {
  await server.end();
  world.remove();
});

async function start(
  args: readonly string[] = ['--toolsets', 'serve,find'],
  env: Record<string, string> = {},
) {
  server = new RawServer({ args, env: { ...world.variables, ...env } });
  return server.initialize();
}

const DECLARES =
  '---\nname: runner\ndescription: Runs.\nmcp-host:\n  version: 1\n  run:\n    - script: go.mjs\n      interpreter: node\n---\n';

describe('a server with sources', () => {
  it('adds a repository, syncs it and serves its skills to both groups, without a restart [sources.read-only]', async () => {
    world.repository('owner/My.Skills', {
      'skills/pdf-forms/SKILL.md': skillText('pdf-forms'),
      'skills/pdf-forms/guide.md': 'guide',
      'skills/runner/SKILL.md': DECLARES,
      'skills/runner/go.mjs': 'console.log(1)',
    });
    const { result } = await start();
    expect(result.instructions).toContain('call find');
    expect(await server.call('sources', { action: 'list' })).toEqual({ sources: [], problems: [] });
    expect(await server.call('sources', { action: 'add', repo: 'owner/My.Skills' })).toEqual({
      added: 'owner-my-skills',
    });
    expect(await server.refuse('sources', { action: 'add', repo: 'owner/My.Skills' })).toContain('is taken');
    expect((await server.call('find', { task: 'pdf forms' })).reason).toContain('has not been synced yet');
    const { outcomes } = await server.call('sources', { action: 'sync' });
    expect(outcomes).toMatchObject([{ id: 'owner-my-skills', ok: true, skills: 2 }]);

    expect((await server.call('find', { task: 'pdf forms' })).candidates[0].id).toBe('pdf-forms');
    expect(await server.call('load', { id: 'pdf-forms' })).toMatchObject({ resources: ['guide.md'] });
    expect((await server.call('read', { id: 'pdf-forms', path: 'guide.md' })).text).toBe('guide');
    const { skills } = await server.call('skill_list');
    const listed = skills.find(({ name }: { name: string }) => name === 'runner');
    expect(listed).toMatchObject({ source: 'owner-my-skills', executable: false, scripts: [] });
    expect(listed.unavailableScripts).toMatchObject([{ script: 'go.mjs' }]);
    expect(await server.refuse('skill_run', { name: 'runner', script: 'go.mjs' })).toContain('read-only');

    expect(await server.call('sources', { action: 'remove', id: 'owner-my-skills' })).toEqual({
      removed: 'owner-my-skills',
    });
    expect((await server.call('find', { task: 'pdf forms' })).candidates).not.toContainEqual(
      expect.objectContaining({ id: 'pdf-forms' }),
    );
  });

  it('takes what somebody does on the command line at its next call', async () => {
    world.repository('owner/name', { 'skills/pdf-forms/SKILL.md': skillText('pdf-forms') });
    await start(['--toolsets', 'find']);
    const empty = await server.call('find', { task: 'pdf forms' });
    expect(empty).toMatchObject({ candidates: [], suggestion: null });
    expect(empty.reason).toMatch(/sources/);
    const entry = JSON.stringify({ kind: 'github', id: 'team', repo: 'owner/name' });
    await runProgram(['sources', 'add', entry], world.variables);
    await runProgram(['sources', 'sync'], world.variables);
    expect((await server.call('find', { task: 'pdf forms' })).candidates).toMatchObject([
      { id: 'pdf-forms' },
    ]);
    writeFileSync(world.config, '{ broken');
    const found = await server.call('find', { task: 'pdf forms' });
    expect(found.candidates).toMatchObject([{ id: 'pdf-forms' }]);
    expect(found.reason).toContain('is broken');
  });

  it('leaves local and command sources to their owner', async () => {
    const sources = [{ kind: 'local', id: 'mine', path: '~/skills' }];
    mkdirSync(path.dirname(world.config), { recursive: true });
    writeFileSync(world.config, JSON.stringify({ sources }));
    await start();
    expect(await server.refuse('sources', { action: 'add', kind: 'cli' })).toContain('skill-mcp sources add');
    expect(await server.refuse('sources', { action: 'add', kind: 'local', id: 'x' })).toContain(
      'sources add',
    );
    expect(await server.refuse('sources', { action: 'remove', id: 'mine' })).toContain(
      'skill-mcp sources remove mine',
    );
    for (const [args, words] of [
      [{ action: 'add' }, 'repo is required'],
      [{ action: 'add', repo: '--upload-pack=x/y' }, 'must be owner/name'],
      [{ action: 'add', repo: 'a/b', id: 'Bad Id' }, 'lowercase'],
      [{ action: 'remove' }, 'id is required'],
      [{ action: 'remove', id: 'ghost' }, 'no source "ghost"'],
      [{ action: 'sync', id: 'ghost' }, 'no source "ghost"'],
      [{ action: 'destroy' }, 'action'],
      [{}, 'action'],
    ] as const) {
      expect(await server.refuse('sources', args)).toContain(words);
    }
    expect(JSON.parse(readFileSync(world.config, 'utf8'))).toEqual({ sources });
  });

  it('is not changed by agents where it is hosted, unless its operator names a config', async () => {
    const { SKILLS_MCP_CONFIG: _, ...variables } = world.variables;
    server = new RawServer({
      args: ['--toolsets', 'find'],
      env: { ...variables, XDG_CONFIG_HOME: world.directory, MCP_DATA_DIR: world.directory },
    });
    await server.initialize();
    expect(await server.refuse('sources', { action: 'add', repo: 'owner/name' })).toContain(
      'SKILLS_MCP_CONFIG',
    );
    expect(await server.refuse('sources', { action: 'remove', id: 'x' })).toContain('SKILLS_MCP_CONFIG');
    await server.end();
    await start(['--toolsets', 'find'], { MCP_DATA_DIR: world.directory });
    expect(await server.call('sources', { action: 'add', repo: 'owner/name' })).toEqual({
      added: 'owner-name',
    });
  });

  it('ends in time while a sync hangs, and leaves no process behind', async () => {
    const bin = path.join(world.directory, 'bin');
    mkdirSync(bin);
    const mark = path.join(world.directory, 'started');
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\ntouch ${mark}\nexec sleep 50\n`, { mode: 0o755 });
    await start(['--toolsets', 'find'], { PATH: `${bin}:/usr/bin:/bin` });
    await server.call('sources', { action: 'add', repo: 'owner/name' });
    server.send('tools/call', { name: 'sources', arguments: { action: 'sync' } });
    await expect.poll(() => existsSync(mark), { timeout: 15_000 }).toBe(true);
    const begun = Date.now();
    await server.end();
    expect(Date.now() - begun).toBeLessThan(4_000);
  });

  it('starts and answers although everything about its sources is broken', async () => {
    mkdirSync(path.dirname(world.config), { recursive: true });
    writeFileSync(world.config, '[');
    await start(['--toolsets', 'serve,find'], {
      SKILLS_MCP_SYNC_TIMEOUT: 'soon',
      SKILLS_MCP_CACHE: '/dev/null/x',
    });
    const { problems } = await server.call('sources', { action: 'list' });
    expect(problems.map(({ path: place }: { path: string }) => path.basename(place))).toEqual([
      'SKILLS_MCP_SYNC_TIMEOUT',
      'config.json',
    ]);
    expect((await server.call('skill_list')).skills).toHaveLength(1);
  });
});
