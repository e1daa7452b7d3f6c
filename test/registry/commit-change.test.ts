import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Registry } from '../../src/registry/registry.js';
import type { BareRepository } from '../helpers/fake-github/bare-repository.js';
import {
  GH_MISSING,
  type OpenRegistry,
  openRegistry,
  request,
  skillMd,
} from '../helpers/fake-github/open-registry.js';
import { FakeGitHub } from '../helpers/fake-github/server.js';

// Every call is a process of its own, and other tests run beside.
vi.setConfig({ testTimeout: 120_000 });

const PATCH = /^PATCH /;

describe.skipIf(GH_MISSING)(`a branch that others move ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let open: OpenRegistry;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    await bare.commit({ 'README.md': 'hello\n' });
    open = openRegistry(fake);
    await open.registry.connection.check();
    fake.takeCalls();
  });
  afterEach(async () => {
    await open.close();
    await fake.close();
  });

  const publish = (name: string, files: Record<string, string> = {}, more = {}) =>
    open.registry.publish(
      open.operation(),
      request(name, open.registry.readFiles({ 'SKILL.md': skillMd(name), ...files }), more),
    );
  const patches = () => fake.takeCalls().filter((call) => PATCH.test(call)).length;

  it('is built upon anew: both publications are there, and neither file is sent twice', async () => {
    fake.faults.push({
      at: PATCH,
      before: () => bare.commit({ 'other/SKILL.md': skillMd('other') }, 'main', 'theirs'),
    });
    const result = await publish('demo');
    expect(result.status).toBe('created');
    const calls = fake.takeCalls();
    expect(calls.filter((call) => PATCH.test(call))).toHaveLength(2);
    // Two roots, but the folder itself only once.
    expect(calls.filter((call) => call.startsWith('POST') && call.endsWith('/git/trees'))).toHaveLength(3);
    expect((await bare.log()).map(({ subject, parents }) => [subject, parents])).toEqual([
      ['publish: demo', 1],
      ['theirs', 1],
      ['seed', 0],
    ]);
    expect(await bare.files()).toEqual(['100644 README.md', '100644 demo/SKILL.md', '100644 other/SKILL.md']);
    await bare.fsck();
  });

  it('is noticed although the branch is read as it was before', async () => {
    const old = await bare.readRef('refs/heads/main');
    await bare.commit({ 'other/SKILL.md': skillMd('other') });
    fake.faults.push({
      at: /GET .*git\/ref\/heads/,
      answer: { status: 200, body: { object: { type: 'commit', sha: old } } },
    });
    await publish('demo');
    expect(await bare.files()).toContain('100644 other/SKILL.md');
    expect(await bare.files()).toContain('100644 demo/SKILL.md');
  });

  it('never costs what somebody published for the same skill: expect is compared at every try [registry.expect]', async () => {
    const first = await publish('demo', { 'a.txt': '1' });
    fake.faults.push({ at: PATCH, before: () => bare.commit({ 'demo/a.txt': 'theirs' }) });
    await expect(publish('demo', { 'a.txt': '2' }, { expect: first.treeSha })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(first.treeSha),
    });
    expect((await bare.read('demo/a.txt')).toString()).toBe('theirs');
    await expect(publish('gone', {}, { expect: first.treeSha })).rejects.toThrow(/does not exist/);
  });

  it.each([
    ['Repository rule violations found\n\nChanges must be made through a pull request.', 422],
    ['Reference cannot be updated', 422],
    ['Conflict of another kind', 409],
  ])(
    'is told from a rule: %j comes out at once, with these words [registry.rules]',
    async (message, status) => {
      fake.faults.push({ at: PATCH, answer: { status, body: { message } } });
      await expect(publish('demo')).rejects.toThrow(message.split('\n')[0]);
      expect(patches()).toBe(1);
      expect(await bare.files()).toEqual(['100644 README.md']);
    },
  );

  it('is tried eight times at most', async () => {
    const quick = new Registry({
      ...open.parts,
      random: () => 0,
    });
    await quick.connection.check();
    for (let n = 0; n < 9; n++) {
      fake.faults.push({ at: PATCH, before: () => bare.commit({ 'README.md': `${n}\n` }) });
    }
    fake.takeCalls();
    const payload = quick.readFiles({ 'SKILL.md': skillMd('demo') });
    await expect(quick.publish(open.operation(), request('demo', payload))).rejects.toThrow(/all 8 tries/);
    expect(patches()).toBe(8);
  });

  it('asks once again when GitHub does not know its own new tree yet, and only once', async () => {
    const lag = {
      at: /POST .*git\/commits/,
      answer: { status: 422, body: { message: 'Tree SHA does not exist' } },
    };
    fake.faults.push({ ...lag });
    await publish('demo');
    expect(fake.takeCalls().filter((call) => call.endsWith('git/commits'))).toHaveLength(2);
    fake.faults.push({ ...lag }, { ...lag });
    await expect(publish('demo', { a: '' })).rejects.toThrow('Tree SHA does not exist');
    expect(fake.takeCalls().filter((call) => call.endsWith('git/commits'))).toHaveLength(2);
  });

  it('repeats nothing else that GitHub refuses', async () => {
    fake.faults.push({
      at: /POST .*git\/trees/,
      answer: { status: 422, body: { message: 'Sorry, your request timed out. It may be too large.' } },
    });
    await expect(publish('demo')).rejects.toThrow(/timed out/);
    expect(fake.takeCalls()).toHaveLength(3);
  });

  it('is moved once although the answer was lost: what stands there decides', async () => {
    fake.faults.push({ at: PATCH, drop: 'after' });
    const result = await publish('demo');
    expect(result).toMatchObject({ status: 'created', commit: await bare.readRef('refs/heads/main') });
    expect(patches()).toBe(1);

    fake.faults.push({ at: PATCH, drop: 'before' });
    await expect(publish('demo', { a: 'a' })).rejects.toThrow(/the change was not made/);
    expect(patches()).toBe(1);
    await expect(publish('demo', { a: 'a' })).resolves.toMatchObject({ status: 'updated' });
  });

  it('waits as long as GitHub asks, and says so at once when that is too long', async () => {
    const limit = (seconds: string) => ({
      at: /POST .*git\/trees/,
      answer: { status: 403, headers: { 'Retry-After': seconds }, body: { message: 'secondary rate limit' } },
    });
    fake.faults.push(limit('1'));
    const began = Date.now();
    await publish('demo');
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
    expect(fake.takeCalls()).toHaveLength(7);
    fake.faults.push(limit('21'));
    await expect(publish('demo', { a: '' })).rejects.toThrow(/try again in 21 s, at 20\d\d-/);
  });

  it('lets all publications of one process happen', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map((name) => publish(name)));
    expect(patches()).toBe(6);
    expect((await bare.log()).every(({ parents }) => parents <= 1)).toBe(true);
    expect(await bare.files()).toEqual([
      '100644 README.md',
      ...names.map((name) => `100644 ${name}/SKILL.md`),
    ]);
    await bare.fsck();
  });

  it('is not moved by a call that was cancelled', async () => {
    const ending = new AbortController();
    fake.faults.push({ at: /POST .*git\/commits/, delayMs: 500, before: async () => ending.abort() });
    const payload = open.registry.readFiles({ 'SKILL.md': skillMd('demo') });
    await expect(
      open.registry.publish(open.operation(ending.signal), request('demo', payload)),
    ).rejects.toThrow('cancelled');
    expect(patches()).toBe(0);
    await publish('later');
  });
});

describe.skipIf(GH_MISSING)(`a repository without a commit ${GH_MISSING ?? ''}`, () => {
  it('is started once when two publish their first skills at the same moment', async () => {
    const fake = await FakeGitHub.start();
    const bare = await fake.addRepository('acme/skills');
    const caches = ['a', 'b'].map((name) => ({ SKILLS_MCP_CACHE: `${fake.directory}/${name}` }));
    const opened = caches.map((variables) => openRegistry(fake, variables));
    try {
      const results = await Promise.all(
        opened.map(({ registry, operation }, n) => {
          const payload = registry.readFiles({ 'SKILL.md': skillMd(`skill-${n}`) });
          return registry.publish(operation(), request(`skill-${n}`, payload));
        }),
      );
      expect(results.map(({ status }) => status)).toEqual(['created', 'created']);
      expect((await bare.log()).map(({ parents }) => parents)).toEqual([1, 1, 0]);
      await bare.fsck();
    } finally {
      for (const { close } of opened) await close();
      await fake.close();
    }
  });

  it('is no conflict: it gets a README of one line, and then the skill as always', async () => {
    const fake = await FakeGitHub.start();
    const bare = await fake.addRepository('acme/skills');
    const open = openRegistry(fake);
    try {
      const payload = open.registry.readFiles({ 'SKILL.md': skillMd('demo') });
      expect(await open.registry.list(open.operation())).toMatchObject({ skills: [], problems: [] });
      const preview = await open.registry.publish(
        open.operation(),
        request('demo', payload, { dryRun: true }),
      );
      expect(preview).toMatchObject({ status: 'dry-run', commit: undefined });
      expect(await bare.isEmpty()).toBe(true);
      fake.takeCalls();
      const result = await open.registry.publish(open.operation(), request('demo', payload));
      expect(result).toMatchObject({ status: 'created', treeSha: await bare.treeOf('demo') });
      expect(fake.takeCalls()).toHaveLength(8);
      expect(await bare.files()).toEqual(['100644 README.md', '100644 demo/SKILL.md']);
      expect((await bare.read('README.md')).toString().trim()).not.toContain('\n');
      await bare.fsck();
    } finally {
      await open.close();
      await fake.close();
    }
  });
});
