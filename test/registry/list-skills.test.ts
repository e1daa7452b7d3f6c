import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BareRepository } from '../helpers/fake-github/bare-repository.js';
import {
  GH_MISSING,
  type OpenRegistry,
  openRegistry,
  skillMd,
} from '../helpers/fake-github/open-registry.js';
import { FakeGitHub } from '../helpers/fake-github/server.js';

// Every call is a process of its own, and other tests run beside.
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(GH_MISSING)(`listing the registry ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let open: OpenRegistry;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    open = openRegistry(fake);
    await open.registry.connection.check();
    fake.takeCalls();
  });
  afterEach(async () => {
    await open.close();
    await fake.close();
  });

  const list = () => open.registry.list(open.operation());
  const fill = (count: number) =>
    bare.commit(
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`skill-${n}/SKILL.md`, skillMd(`skill-${n}`)]),
      ),
    );

  it('takes two calls for a hundred skills once each SKILL.md was seen, in another process too', async () => {
    await fill(100);
    expect((await list()).skills).toHaveLength(100);
    expect(fake.takeCalls()).toHaveLength(102);
    const later = openRegistry(fake);
    await later.registry.connection.check();
    fake.requests.length = 0;
    const warm = await later.registry.list(later.operation());
    await later.close();
    expect(warm.skills).toHaveLength(100);
    expect(fake.requests.map(({ status }) => status)).toEqual([200, 304]);
    await bare.commit({ 'skill-5/SKILL.md': skillMd('skill-5', 'new') });
    fake.takeCalls();
    await list();
    expect(fake.takeCalls()).toHaveLength(3);
  }, 120_000);

  it('names every folder that is no usable skill with its reason [registry.problems]', async () => {
    await bare.commit({
      'README.md': 'no folder',
      '.github/x': 'hidden',
      'good/SKILL.md': skillMd('good'),
      'empty/notes.txt': 'x',
      'deep/inner/SKILL.md': skillMd('inner'),
      'broken/SKILL.md': '---\nname: [\n---\n',
      'bare/SKILL.md': '# no frontmatter',
      'binary/SKILL.md': Buffer.from([0xff, 0xfe, 0x00]),
      'silent/SKILL.md': '---\nname: silent\n---\n',
      'linked/SKILL.md': { mode: '120000', content: '../good/SKILL.md' },
    });
    const { skills, problems } = await list();
    expect(skills.map(({ slug }) => slug)).toEqual(['good']);
    expect(skills[0]).toMatchObject({
      name: 'good',
      description: 'What good does.',
      treeSha: await bare.treeOf('good'),
    });
    expect(Object.fromEntries(problems.map(({ slug, reason }) => [slug, reason]))).toMatchObject({
      empty: 'no SKILL.md',
      deep: 'no SKILL.md',
      broken: expect.stringMatching(/^SKILL.md: .*\d+:\d+/),
      bare: expect.stringMatching(/no frontmatter/),
      binary: expect.stringMatching(/UTF-8/),
      silent: expect.stringMatching(/no description/),
      linked: 'SKILL.md is a symbolic link',
    });
    expect(problems).toHaveLength(7);
  });

  it('walks a listing that GitHub cut, and takes nothing for whole', async () => {
    await fill(12);
    fake.treeLimit = 5;
    expect((await list()).skills).toHaveLength(12);
    fake.takeCalls();
    expect((await list()).skills).toHaveLength(12);
    expect(fake.takeCalls().length).toBeLessThanOrEqual(2 + 1 + 12);
  });

  it.each([
    ['nobody answers', { drop: 'before' as const }, /no answer from github.com/],
    ['a proxy answers', { answer: { status: 502, body: '<html>404</html>' } }, /HTTP 502/],
    ['the login is gone', { answer: { status: 401, body: { message: 'Bad credentials' } } }, /not logged in/],
  ])(
    'never shows an empty registry when %s, whatever the repository is called [registry.problems]',
    async (_what, fault, message) => {
      const named = await fake.addRepository('acme/skills-404-409-422');
      await named.commit({ 'a/SKILL.md': skillMd('a') });
      const other = openRegistry(fake, { SKILLS_REGISTRY: 'acme/skills-404-409-422' });
      await other.registry.connection.check();
      for (const at of [/ref\/heads/, /git\/trees/, /git\/blobs/]) {
        fake.faults.push({ at, ...fault });
        const failed = other.registry.list(other.operation());
        await expect(failed).rejects.toThrow(message);
        await expect(failed).rejects.not.toThrow(/was not found/);
      }
      expect((await other.registry.list(other.operation())).skills).toHaveLength(1);
      await other.close();
    },
  );
});
