import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { RawServer, type RawServerOptions, SERVER } from '../helpers/raw-server.js';
import { makeDirectory, writeSkill } from '../helpers/skills.js';

const root = makeExampleRoot();
let server: RawServer | undefined;

const open = (options: RawServerOptions = {}) => {
  server = new RawServer({ env: { SKILLS_DIR: root }, ...options });
  return server;
};

afterEach(async () => {
  if (server?.child.exitCode === null) server.child.kill('SIGKILL');
  await server?.exited;
});

describe('the start', () => {
  it('needs no HOME, no LANG and no node on PATH, and runs a script all the same', async () => {
    const plain = open();
    await plain.initialize();
    const { stdout, env } = await plain.call('skill_run', {
      name: 'tools',
      script: 'scripts/echo.js',
      confirm: true,
    });
    expect(env).toEqual(['LANG', 'PATH', 'SKILL_MCP_RUN_ID']);
    expect(JSON.parse(stdout).env).toMatchObject({ LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' });
    await plain.end();
  });

  it('works through a link, like the one in node_modules/.bin [package.installed]', async () => {
    const link = path.join(makeDirectory(), 'skill-mcp');
    symlinkSync(SERVER, link);
    const linked = open({ entry: link });
    expect((await linked.initialize()).result.serverInfo.name).toBe('skill-mcp');
    expect(
      (await linked.call('skill_run', { name: 'tools', script: 'scripts/fail.js', confirm: true })).exitCode,
    ).toBe(3);
    await linked.end();
  });

  it('serves the example skill of the package when no root is given, wherever it is started', async () => {
    const bare = open({ env: {} });
    await bare.initialize();
    const { rootsFrom, skills } = await bare.call('skill_list');
    expect(rootsFrom).toBe('default');
    expect(skills.map(({ name }: { name: string }) => name)).toContain('skill-mcp-demo');
    await bare.end();
  });

  it('answers the handshake before 3,000 skills are scanned', async () => {
    const many = makeDirectory();
    for (let n = 0; n < 3_000; n++) writeSkill(many, `skill-${n}`, { files: { 'a.md': 'a' } });
    // A busy machine may be slow once; a handshake that waits for the scan is slow every time.
    let fastestMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3; attempt++) {
      const startedMs = performance.now();
      const probe = open({ env: { SKILLS_DIR: many } });
      await probe.initialize();
      fastestMs = Math.min(fastestMs, performance.now() - startedMs);
      await probe.end();
    }
    expect(fastestMs).toBeLessThan(1_500);
    const busy = open({ env: { SKILLS_DIR: many } });
    await busy.initialize();
    const first = await busy.call('skill_list');
    expect(first.total).toBe(3_000);
    expect(first.skills).toHaveLength(200);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(100_000);
    const names = first.skills.map(({ name }: { name: string }) => name);
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const page = await busy.call('skill_list', { cursor, limit: 1_000 });
      names.push(...page.skills.map(({ name }: { name: string }) => name));
      cursor = page.nextCursor;
    }
    expect(new Set(names).size).toBe(3_000);
    expect(names).toHaveLength(3_000);
    expect(await busy.refuse('skill_list', { cursor: 'x' })).toMatch(/cursor/);
    await busy.end();
  });

  it('refuses a bad command line with exit code 2 and one line [settings.exit-codes]', async () => {
    for (const args of [['--nope'], ['nope'], ['--toolsets', 'serve,nope'], ['--root']]) {
      const bad = open({ args });
      expect(await bad.exited).toEqual([2, null]);
      expect(bad.stderr).toMatch(/^skill-mcp: [^\n]+\n$/);
      expect(bad.strays).toEqual([]);
    }
    const variable = open({ env: { SKILL_MCP_TOOLSETS: 'nope' } });
    expect(await variable.exited).toEqual([2, null]);
    expect(variable.stderr).toMatch(/nope/);
  });

  it('prints help and version', async () => {
    const help = open({ args: ['--help'] });
    expect(await help.exited).toEqual([0, null]);
    expect(help.strays.join('\n')).toMatch(/usage: skill-mcp/);
    const version = open({ args: ['--version'] });
    await version.exited;
    expect(version.strays).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  });
});

describe.runIf(process.platform === 'linux')('the variables of the server [fence.environ]', () => {
  it.each(['portable', 'auto'])('cannot be read by a script at fence %s', async (fence) => {
    const env = {
      SKILLS_DIR: root,
      SECRET: 'not-for-scripts',
      GRANTED: 'granted-value',
      SKILL_MCP_FENCE: fence,
    };
    const guarded = open({ env });
    await guarded.initialize();
    const answer = await guarded.call('skill_run', {
      name: 'tools',
      script: 'scripts/spy.js',
      confirm: true,
    });
    expect(JSON.parse(answer.stdout)).toEqual({ seen: [] });
    const block = readFileSync(`/proc/${guarded.pid}/environ`);
    expect(block.byteLength).toBeGreaterThan(50);
    expect(block.every((byte) => byte === 0)).toBe(true);
    const echo = await guarded.call('skill_run', { name: 'tools', script: 'scripts/echo.js', confirm: true });
    expect(JSON.parse(echo.stdout).env.GRANTED).toBe('granted-value');
    await guarded.end();
  });
});
