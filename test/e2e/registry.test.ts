import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BareRepository } from '../helpers/fake-github/bare-repository.js';
import { GH_MISSING, skillMd } from '../helpers/fake-github/open-registry.js';
import { FakeGitHub, TOKEN } from '../helpers/fake-github/server.js';
import { expectGone, RawServer } from '../helpers/raw-server.js';

// Every call is a process of its own, and other tests run beside.
vi.setConfig({ testTimeout: 120_000 });

/** Two things in this file start several servers on a small machine. */
const LONG_MS = 180_000;

describe.skipIf(GH_MISSING)(`the registry over MCP ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    await bare.commit({ 'demo/SKILL.md': skillMd('demo') });
  });
  afterEach(() => fake.close());

  async function start(env: Record<string, string> = {}, toolsets = 'registry'): Promise<RawServer> {
    const server = new RawServer({
      args: ['--toolsets', toolsets],
      env: { SKILLS_REGISTRY: 'acme/skills', ...fake.variables, ...env },
    });
    await server.initialize();
    return server;
  }
  const call = async (server: RawServer, name: string, args = {}) => {
    // A publication among many others takes its time on a small machine.
    const { result } = await server.answer(server.send('tools/call', { name, arguments: args }), LONG_MS);
    return { text: result.content[0].text as string, ...result };
  };

  it('lists, gets and publishes, with texts for people and the facts beside them', async () => {
    const server = await start();
    const listed = await call(server, 'list_skills');
    expect(listed.text).toContain('| demo | demo | What demo does. |');
    expect(listed.structuredContent).toMatchObject({ repo: 'acme/skills', branch: 'main', problems: [] });
    const got = await call(server, 'get_skill', { slug: 'demo' });
    expect(got.text).toBe(got.structuredContent.path);
    expect(path.basename(got.text)).toBe(got.structuredContent.treeSha);
    const published = await call(server, 'publish_skill', {
      name: 'demo',
      files: { 'SKILL.md': skillMd('demo', 'new') },
      expect: path.basename(got.text),
    });
    const { commit } = published.structuredContent;
    expect(published.text).toBe(
      `Published \`demo\` to acme/skills@${commit.slice(0, 7)}. View: https://github.com/acme/skills/tree/${commit.slice(0, 7)}/demo`,
    );
    expect(published.structuredContent).toMatchObject({
      status: 'updated',
      treeSha: await bare.treeOf('demo'),
      diff: [{ path: 'SKILL.md', change: 'changed' }],
    });
    fake.faults.push({ at: /ref\/heads/, drop: 'before' });
    await call(server, 'get_skill', { slug: 'demo' });
    fake.faults.length = 0;
    await call(server, 'get_skill', { slug: 'demo' });
    fake.faults.push({ at: /ref\/heads/, drop: 'before' });
    const stale = await call(server, 'get_skill', { slug: 'demo' });
    expect(stale.text.split('\n')).toEqual([
      path.join(path.dirname(got.text), stale.structuredContent.treeSha),
      expect.stringMatching(/^stale: /),
    ]);
    expect(stale.structuredContent.stale).toBe(true);
    await server.end();
  });

  it('names the repository in its instructions, and the token nowhere [registry.token]', async () => {
    const server = await start({ SKILLS_LOG_LEVEL: 'DEBUG' });
    const { result } = await server.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    expect(result?.instructions ?? server.messages[0]?.result.instructions).toContain('acme/skills');
    fake.faults.push({ at: /ref\/heads/, answer: { status: 401, body: { message: `Bad ${TOKEN}` } } });
    await call(server, 'list_skills');
    fake.faults.push({ at: /ref\/heads/, drop: 'before' });
    await call(server, 'list_skills');
    await server.end();
    expect(JSON.stringify(server.messages) + server.stderr).not.toContain(TOKEN);
    expect(fake.requests.every(({ authorization }) => authorization === `token ${TOKEN}`)).toBe(true);
    expect(server.stderr).toContain('bound to acme/skills');
  });

  it('refuses bad input before any call, naming it', async () => {
    const server = await start();
    await expect.poll(() => fake.requests.length).toBe(1);
    const refusals: [object, RegExp][] = [
      [{ name: 'x' }, /neither files nor local_folder/],
      [{ name: 'x', files: { 'SKILL.md': skillMd('x') }, local_folder: '/x' }, /both given/],
      [{ name: 'x', files: { 'SKILL.md': 5 } }, /SKILL\.md/],
      [{ name: 'x', files: { 'SKILL.md': skillMd('x'), '../y': '' } }, /"\.\.\/y" has a \.\. segment/],
      [{ name: 'C++', files: { 'SKILL.md': skillMd('c') } }, /holds "\+"/],
      [{ name: 'x', files: { 'SKILL.md': skillMd('x') }, expect: 'abc' }, /expect must be a tree SHA/],
      [{ name: 'x', files: { 'SKILL.md': skillMd('x') }, version: '1' }, /"1" is no version/],
      [{ name: 'x', local_folder: 'relative' }, /must be an absolute path/],
      [{ name: 'x', files: { 'SKILL.md': skillMd('x') }, more: 1 }, /unknown field "more"/],
    ];
    for (const [args, message] of refusals) {
      expect(await server.refuse('publish_skill', { ...args })).toMatch(message);
    }
    expect(await server.refuse('get_skill', { slug: 'nope' })).toContain('was not found in acme/skills');
    expect(fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    await server.end();
  });

  it('is not led astray by variables that steer gh', async () => {
    const server = await start({
      GH_HOST: 'elsewhere.example',
      GH_REPO: 'other/repo',
      GH_FORCE_TTY: '100',
      CLICOLOR_FORCE: '1',
      GH_DEBUG: 'api',
      DEBUG: '1',
    });
    expect((await call(server, 'list_skills')).structuredContent.skills).toHaveLength(1);
    await server.end();
    expect(new Set(fake.requests.map(({ host }) => host))).toEqual(new Set(['api.github.com']));
  });

  it('asks the host of its configuration', async () => {
    const config = path.join(fake.directory, 'xdg/skills-mcp');
    mkdirSync(config, { recursive: true });
    writeFileSync(
      path.join(config, 'registry.toml'),
      '[registry]\nrepo = "acme/skills"\nhost = "ghe.corp"\n',
    );
    const server = await start({
      SKILLS_REGISTRY: '',
      XDG_CONFIG_HOME: path.join(fake.directory, 'xdg'),
      GH_ENTERPRISE_TOKEN: TOKEN,
    });
    const got = await call(server, 'get_skill', { slug: 'demo' });
    expect(got.text).toContain('/ghe.corp/acme/skills/demo/');
    const published = await call(server, 'publish_skill', { name: 'x', files: { 'SKILL.md': skillMd('x') } });
    expect(published.structuredContent.url).toMatch(/^https:\/\/ghe\.corp\/acme\/skills\/tree\//);
    await server.end();
    expect(new Set(fake.requests.map(({ host }) => host))).toEqual(new Set(['ghe.corp']));
  });

  it(
    'twelve publishers in four servers all land, one after the other [registry.all-land]',
    async () => {
      // Two caches, as on two machines with two servers each: between the two nothing but GitHub keeps them apart.
      // Nobody can lose more often than the other machine publishes, six times, and eight tries are made.
      const servers = await Promise.all(
        ['a', 'a', 'b', 'b'].map((name) => start({ SKILLS_MCP_CACHE: path.join(fake.directory, name) })),
      );
      const names = Array.from({ length: 12 }, (_, n) => `skill-${n}`);
      const results = await Promise.all(
        names.map((name, n) =>
          call(servers[n % 4]!, 'publish_skill', { name, files: { 'SKILL.md': skillMd(name) } }),
        ),
      );
      expect(results.map(({ isError, text }) => (isError ? text : undefined)).filter(Boolean)).toEqual([]);
      const log = await bare.log();
      expect(log.map(({ subject }) => subject).sort()).toEqual(
        ['seed', ...names.map((name) => `publish: ${name}`)].sort(),
      );
      expect(log.filter(({ parents }) => parents !== 1)).toHaveLength(1);
      expect(await bare.files()).toHaveLength(13);
      await bare.fsck();
      for (const server of servers) await server.end();
    },
    LONG_MS,
  );

  it(
    'two publishers of one state of one skill: one is told of the conflict [registry.expect]',
    async () => {
      const servers = await Promise.all([start(), start()]);
      const expected = await bare.treeOf('demo');
      const results = await Promise.all(
        servers.map((server, n) =>
          call(server, 'publish_skill', {
            name: 'demo',
            files: { 'SKILL.md': skillMd('demo', `by ${n}`) },
            expect: expected,
          }),
        ),
      );
      const lost = results.filter(({ isError }) => isError);
      expect(lost).toHaveLength(1);
      expect(lost[0]?.text).toMatch(/^CONFLICT "demo" in acme\/skills is at tree [0-9a-f]{40}/);
      expect(await bare.log()).toHaveLength(2);
      for (const server of servers) await server.end();
    },
    LONG_MS,
  );

  it('bounds a gh that hangs, and leaves nothing behind when a call is cancelled or the session ends [registry.bounded]', async () => {
    const hanging = path.join(fake.directory, 'hanging-gh');
    writeFileSync(hanging, '#!/bin/sh\nsleep 60 & sleep 60\n');
    chmodSync(hanging, 0o755);
    const server = await start({ GH_BIN: hanging, SKILLS_GH_TIMEOUT: '0.5' });
    expect(await server.refuse('list_skills')).toMatch(
      /no answer from github.com: gh did not end within 0.5 s/,
    );
    await server.end();

    const slow = await start({ GH_BIN: hanging, SKILLS_REGISTRY: 'acme/skills@main' });
    const id = slow.send('tools/call', { name: 'list_skills', arguments: {} });
    // Two calls: the one of the start, and this one; each is a shell with two sleeps.
    await expect.poll(() => slow.tree().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(7);
    const before = slow.tree();
    slow.notify('notifications/cancelled', { requestId: id });
    await expect.poll(() => slow.tree().length, { timeout: 20_000 }).toBeLessThanOrEqual(before.length - 3);
    await slow.end();
    await expectGone(before);
  });

  it('a gh that dies leaves nothing half-written [registry.bounded]', async () => {
    const dying = path.join(fake.directory, 'dying-gh');
    // The third blob kills it; everything before goes to the real one.
    writeFileSync(
      dying,
      '#!/bin/sh\ncase "$*" in *git/blobs*) echo x >>"$HOME/blobs"; [ "$(wc -l <"$HOME/blobs")" -ge 3 ] && kill -9 $$;; esac\nexec gh "$@"\n',
    );
    chmodSync(dying, 0o755);
    await bare.commit(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`demo/f${n}`, `${n}`])));
    const server = await start({ GH_BIN: dying });
    expect(await server.refuse('get_skill', { slug: 'demo' })).toMatch(
      /no answer from github.com: gh ended with a signal/,
    );
    const cache = path.join(fake.directory, 'home/.cache/skills-mcp/github.com/acme/skills');
    expect(existsSync(path.join(cache, 'demo'))).toBe(false);
    expect(
      existsSync(path.join(cache, '.unfinished')) ? readdirSync(path.join(cache, '.unfinished')) : [],
    ).toEqual([]);
    await server.end();
  });
});

describe('a start in vain', () => {
  const home = `/tmp/registry-start-${process.pid}`;
  beforeEach(() => mkdirSync(home, { recursive: true }));
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const PATH = '/usr/bin:/bin';

  it.each([
    ['no configuration', {}, 2, /no registry is configured/],
    ['a bad configuration', { SKILLS_REGISTRY: 'nonsense' }, 2, /must be owner\/name/],
    ['no gh', { SKILLS_REGISTRY: 'a/b', GH_BIN: '/no/such/gh' }, 3, /GH_BIN names \/no\/such\/gh/],
  ])(
    'ends with its own code before the handshake: %s [registry.exit-codes]',
    async (_what, env, code, message) => {
      const server = new RawServer({ args: ['--toolsets', 'registry'], env: { HOME: home, PATH, ...env } });
      expect(await server.exited).toEqual([code, null]);
      expect(server.stderr).toMatch(message);
      expect(server.messages).toEqual([]);
    },
  );

  it.skipIf(GH_MISSING)(
    `ends with 4 without a login, and goes on without a network ${GH_MISSING ?? ''}`,
    async () => {
      const env = { HOME: home, PATH, SKILLS_REGISTRY: 'acme/skills' };
      const server = new RawServer({ args: ['--toolsets', 'registry'], env });
      expect(await server.exited).toEqual([4, null]);
      expect(server.stderr).toContain('gh auth login --hostname github.com');

      const fake = await FakeGitHub.start();
      await fake.addRepository('acme/skills');
      const rejected = new RawServer({
        args: ['--toolsets', 'registry'],
        env: { ...env, ...fake.variables, GH_TOKEN: 'ghp_expired' },
      });
      expect(await rejected.exited).toEqual([4, null]);

      for (const [fault, message] of [
        [{ drop: 'before' as const }, /no answer from github.com/],
        [{ answer: { status: 403, body: { message: 'SSO needed' } } }, /acme\/skills.*SSO needed/],
      ] as const) {
        fake.faults.push({ at: /skills$/, ...fault }, { at: /skills$/, ...fault });
        const going = new RawServer({ args: ['--toolsets', 'registry'], env: { ...env, ...fake.variables } });
        await going.initialize();
        await expect.poll(() => going.stderr).toMatch(message);
        expect(await going.refuse('list_skills')).toMatch(message);
        const { result } = await going.request('tools/call', { name: 'list_skills', arguments: {} });
        expect(result.content[0].text).toBe('No skills found in acme/skills.');
        await going.end();
        expect(going.stderr).not.toMatch(/unhandled|uncaught/);
      }
      await fake.close();
    },
  );

  it('ends nothing beside other toolsets: it is a problem, and a refusal of the three tools [registry.exit-codes]', async () => {
    const env = { HOME: home, PATH, GH_BIN: '/no/such/gh', SKILLS_REGISTRY: 'a/b' };
    const server = new RawServer({ args: ['--toolsets', 'serve,registry'], env });
    await server.initialize();
    await expect
      .poll(async () => (await server.call('skill_list')).problems)
      .toContainEqual(
        expect.objectContaining({ reason: 'registry', detail: expect.stringContaining('/no/such/gh') }),
      );
    for (const [name, args] of [
      ['list_skills', {}],
      ['get_skill', { slug: 'x' }],
      ['publish_skill', { name: 'x', files: { 'SKILL.md': skillMd('x') } }],
    ] as const) {
      expect(await server.refuse(name, args)).toContain('/no/such/gh');
    }
    await server.end();
    const bare = new RawServer({ args: ['--toolsets', 'registry,serve'], env: { HOME: home, PATH } });
    await bare.initialize();
    expect(await bare.refuse('list_skills')).toMatch(/the registry is not configured/);
    await bare.end();
  });
});
