import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BareRepository } from '../helpers/fake-github/bare-repository.js';
import { git } from '../helpers/fake-github/git.js';
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

describe.skipIf(GH_MISSING)(`getting a skill ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let open: OpenRegistry;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    await bare.commit({ 'demo/SKILL.md': skillMd('demo') });
    open = openRegistry(fake);
    await open.registry.connection.check();
    fake.takeCalls();
  });
  afterEach(async () => {
    await open.close();
    await fake.close();
  });

  const get = (name: string, version?: string) => open.registry.get(open.operation(), name, version);
  const cache = () => path.join(fake.directory, 'home/.cache/skills-mcp/github.com/acme/skills');

  it('brings every byte, name and mode, into a folder that is called like its tree', async () => {
    const big = Buffer.alloc(1_500_000, 'x\u0000\u0001é');
    const names = [
      'a#b.txt',
      'what?.md',
      '100%.txt',
      'with blank',
      '{owner}.txt',
      'é/ü.txt',
      'deep/er/{repo}#?%41',
    ];
    await bare.commit({
      ...Object.fromEntries(names.map((name) => [`demo/${name}`, name])),
      'demo/big.bin': big,
      'demo/run.sh': { mode: '100755', content: 'echo\n' },
    });
    const got = await get('demo');
    expect(got.path).toBe(path.join(cache(), 'demo', got.treeSha));
    expect(got.treeSha).toBe(await bare.treeOf('demo'));
    for (const name of names) expect(readFileSync(path.join(got.path, name), 'utf8')).toBe(name);
    expect(big.equals(readFileSync(path.join(got.path, 'big.bin')))).toBe(true);
    expect(statSync(path.join(got.path, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(path.join(got.path, 'SKILL.md')).mode & 0o111).toBe(0);
    expect(readdirSync(path.join(cache(), '.unfinished'))).toEqual([]);
  });

  it('takes two calls when the copy is there', async () => {
    await get('demo');
    fake.takeCalls();
    await get('demo');
    expect(fake.takeCalls()).toHaveLength(2);
  });

  it('is not fooled by a copy that was harmed: changed, missing, added, another mode [registry.verified]', async () => {
    const harms = [
      (folder: string) => appendFileSync(path.join(folder, 'SKILL.md'), 'x'),
      (folder: string) => rmSync(path.join(folder, 'SKILL.md')),
      (folder: string) => writeFileSync(path.join(folder, 'more.txt'), 'x'),
      (folder: string) => chmodSync(path.join(folder, 'SKILL.md'), 0o755),
    ];
    for (const harm of harms) {
      const { path: folder } = await get('demo');
      harm(folder);
      const again = await get('demo');
      expect(again.path).toBe(folder);
      expect(readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toBe(skillMd('demo'));
      expect(readdirSync(folder)).toEqual(['SKILL.md']);
      expect(statSync(path.join(folder, 'SKILL.md')).mode & 0o111).toBe(0);
    }
  });

  it('gives a folder of its own to every state, so that a removed file is gone', async () => {
    await bare.commit({ 'demo/b.txt': 'b' });
    const before = await get('demo');
    await bare.commit({ 'demo/b.txt': undefined });
    const after = await get('demo');
    expect(existsSync(path.join(after.path, 'b.txt'))).toBe(false);
    expect(existsSync(path.join(before.path, 'b.txt'))).toBe(true);
  });

  it('finds a folder by another spelling, and names both when there are two', async () => {
    await bare.commit({ 'my-skill/SKILL.md': skillMd('my-skill') });
    expect((await get('my_skill')).slug).toBe('my-skill');
    await bare.commit({ 'my_skill/SKILL.md': skillMd('my_skill') });
    expect((await get('my_skill')).slug).toBe('my_skill');
    await expect(get('My Skill')).rejects.toThrow(/"my-skill" and "my_skill"/);
  });

  it('says what is missing: the skill, the branch or the repository', async () => {
    await expect(get('nope')).rejects.toThrow('"nope" was not found in acme/skills');
    await expect(get('../x')).rejects.toThrow(/slash/);
    const branch = openRegistry(fake, { SKILLS_REGISTRY: 'acme/skills@nope' });
    await expect(branch.registry.get(branch.operation(), 'demo')).rejects.toThrow(
      'acme/skills has no branch nope',
    );
    await branch.close();
    const other = openRegistry(fake, { SKILLS_REGISTRY: 'acme/other' });
    await expect(other.registry.list(other.operation())).rejects.toThrow(
      'the repository was not found in acme/other',
    );
    await other.close();
    const named = openRegistry(fake, { SKILLS_REGISTRY: 'acme/other@main' });
    await expect(named.registry.list(named.operation())).rejects.toThrow(
      'the repository acme/other was not found',
    );
    await named.close();
  });

  it('reads the branch that is configured, whatever its name', async () => {
    await bare.commit({ 'only/SKILL.md': skillMd('only') }, 'feat/a#1');
    const other = openRegistry(fake, { SKILLS_REGISTRY: 'acme/skills@feat/a#1' });
    expect((await other.registry.get(other.operation(), 'only')).slug).toBe('only');
    const listing = await other.registry.list(other.operation());
    expect(listing.skills.map(({ slug }) => slug)).toEqual(['only']);
    const payload = other.registry.readFiles({ 'SKILL.md': skillMd('new') });
    await other.registry.publish(other.operation(), request('new', payload));
    await other.close();
    expect(await bare.files('feat/a#1')).toContain('100644 new/SKILL.md');
    expect(await bare.files()).not.toContain('100644 new/SKILL.md');
  });

  it.each([
    ['a link', { 'demo/ln': { mode: '120000', content: '/etc/passwd' } }, /"ln" is a symbolic link/],
    ['a submodule', { 'demo/sub': { mode: '160000', sha: 'a'.repeat(40) } }, /"sub" is a submodule/],
    ['twins by case', { 'demo/A.txt': '1', 'demo/a.txt': '2' }, /"A.txt" and "a.txt" differ/],
    ['no SKILL.md', { 'demo/SKILL.md': undefined, 'demo/x': '' }, /has no SKILL.md/],
  ])(
    'refuses a skill with %s as a whole, before any file is fetched [registry.unfit]',
    async (_what, files, message) => {
      await bare.commit(files as never);
      await expect(get('demo')).rejects.toThrow(message);
      expect(fake.takeCalls().filter((call) => call.includes('/git/blobs/'))).toEqual([]);
      expect(existsSync(path.join(cache(), 'demo'))).toBe(false);
    },
  );

  it.each(['..', '.git', 'a\\b'])('refuses the hostile name %s in a tree [registry.unfit]', async (name) => {
    const blob = await bare.writeBlob('x');
    const skill = await bare.writeBlob(skillMd('demo'));
    const tree = await bare.writeTree([
      { mode: '100644', type: 'blob', sha: skill, path: 'SKILL.md' },
      { mode: '100644', type: 'blob', sha: blob, path: name },
    ]);
    const root = await bare.writeTree([{ mode: '040000', type: 'tree', sha: tree, path: 'demo' }]);
    const commit = await bare.commitTree(root, [], 'hostile');
    await git(bare.directory, ['update-ref', 'refs/heads/main', commit]);
    await expect(get('demo')).rejects.toThrow(/"demo" is refused: the path/);
  });

  it('refuses what is too large from the listing alone', async () => {
    await bare.commit({ 'demo/big.bin': Buffer.alloc(11 * 1024 * 1024 + 1) });
    await expect(get('demo')).rejects.toThrow(/"big.bin" has 11534337 bytes, at most 11534336/);
    await bare.commit({
      'demo/big.bin': undefined,
      'demo/a': Buffer.alloc(9e6),
      'demo/b': Buffer.alloc(9e6, 1),
    });
    await expect(get('demo')).rejects.toThrow(/bytes in all, at most 16777216/);
    expect(fake.takeCalls().filter((call) => call.includes('/git/blobs/'))).toEqual([]);
  });

  it('refuses other bytes than those that were named, and keeps nothing', async () => {
    fake.faults.push({
      at: /git\/blobs/,
      answer: { status: 200, body: { content: Buffer.from('evil').toString('base64'), encoding: 'base64' } },
    });
    await expect(get('demo')).rejects.toThrow(/other bytes/);
    expect(existsSync(path.join(cache(), 'demo'))).toBe(false);
  });

  it.each([
    ['no answer', { drop: 'before' as const }],
    ['a page of a proxy', { answer: { status: 502, body: '<html>Bad Gateway</html>' } }],
    ['a long rate limit', { answer: { status: 429, headers: { 'Retry-After': '600' }, body: {} } }],
  ])('answers with the last verified copy after %s, and says so', async (_what, fault) => {
    const fresh = await get('demo');
    fake.faults.push({ at: /git\/ref\/heads/, ...fault });
    const stale = await get('demo');
    expect(stale).toMatchObject({
      path: fresh.path,
      treeSha: fresh.treeSha,
      staleSince: expect.stringMatching(/^20/),
    });
    writeFileSync(path.join(fresh.path, 'more'), '');
    fake.faults.push({ at: /git\/ref\/heads/, ...fault });
    await expect(get('demo')).rejects.not.toThrow(/not logged in|not found/);
  });

  it.each([
    [401, /gh is not logged in to github.com/],
    [403, /does not allow/],
  ])('never hides %s behind a copy', async (status, message) => {
    await get('demo');
    fake.faults.push({ at: /git\/ref\/heads/, answer: { status, body: { message: 'no' } } });
    await expect(get('demo')).rejects.toThrow(message);
  });

  it('starts without any network from what it saw last, default branch included', async () => {
    const fresh = await get('demo');
    const later = openRegistry(fake);
    fake.faults.push({ at: /repos\/acme\/skills$/, drop: 'before' }, { at: /ref\/heads/, drop: 'before' });
    const stale = await later.registry.get(later.operation(), 'Demo');
    expect(stale).toMatchObject({ path: fresh.path, staleSince: expect.any(String) });
    await later.close();
  });

  it('gives an older state by its tree, from the disk without any call', async () => {
    const old = await get('demo');
    await bare.commit({ 'demo/SKILL.md': skillMd('demo', 'newer') });
    expect((await get('demo')).treeSha).not.toBe(old.treeSha);
    fake.takeCalls();
    expect((await get('demo', old.treeSha)).path).toBe(old.path);
    expect(fake.takeCalls()).toEqual([]);
    rmSync(old.path, { recursive: true });
    expect((await get('demo', old.treeSha.toUpperCase())).path).toBe(old.path);
    expect(readFileSync(path.join(old.path, 'SKILL.md'), 'utf8')).toBe(skillMd('demo'));
  });

  it('clears away what a process left that died in between', async () => {
    const left = path.join(cache(), '.unfinished/left');
    mkdirSync(left, { recursive: true });
    const { utimesSync } = await import('node:fs');
    utimesSync(left, 1, 1);
    await get('demo');
    expect(existsSync(left)).toBe(false);
  });
});
