import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

describe.skipIf(GH_MISSING)(`what may be published ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let open: OpenRegistry;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'skill-'));
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    await bare.commit({ 'README.md': 'hello\n' });
    open = openRegistry(fake);
    await open.registry.connection.check();
    fake.takeCalls();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await open.close();
    await fake.close();
  });

  const publish = (name: string, files: Record<string, string>, more = {}) =>
    open.registry.publish(open.operation(), request(name, open.registry.readFiles(files), more));

  it.each([
    ['a block that does not parse', '---\nname: [\n---\n', /SKILL.md: /],
    ['no frontmatter', '# demo', /no frontmatter/],
    ['no name', '---\ndescription: x\n---\n', /has no name/],
    ['no description', '---\nname: demo\n---\n', /has no description/],
    ['another name', '---\nname: other\ndescription: x\n---\n', /says name: "other"/],
  ])('refuses %s before any call', async (_what, text, message) => {
    await expect(publish('demo', { 'SKILL.md': text })).rejects.toThrow(message);
    expect(fake.takeCalls()).toEqual([]);
  });

  it('keeps a folder of the older form updatable, under either name, and never makes a twin of it', async () => {
    await bare.commit({ 'my_skill/SKILL.md': skillMd('my_skill') });
    const updated = await publish('my_skill', { 'SKILL.md': skillMd('my_skill', 'new') });
    expect(updated).toMatchObject({ slug: 'my_skill', status: 'updated' });
    await publish('my_skill', { 'SKILL.md': skillMd('my-skill') }, { overwrite: true });
    await expect(publish('My Skill', { 'SKILL.md': skillMd('my-skill') })).rejects.toThrow(
      /twin of "my_skill"/,
    );
    expect(await bare.files()).toEqual(['100644 README.md', '100644 my_skill/SKILL.md']);
  });

  it('does not put a new folder under a name of the older form', async () => {
    await expect(publish('new_one', { 'SKILL.md': skillMd('new_one') })).rejects.toThrow(
      /the folder is "new-one"/,
    );
    expect((await publish('new_one', { 'SKILL.md': skillMd('new-one') })).slug).toBe('new-one');
  });

  it('replaces a folder that holds another skill only when told to', async () => {
    await bare.commit({ 'demo/SKILL.md': skillMd('somebody-else'), 'broken/SKILL.md': 'x' });
    await expect(publish('demo', { 'SKILL.md': skillMd('demo') })).rejects.toMatchObject({
      message: expect.stringContaining('holds the skill "somebody-else"'),
      hint: expect.stringContaining('overwrite: true'),
    });
    await expect(publish('broken', { 'SKILL.md': skillMd('broken') })).rejects.toThrow(
      /without a readable name/,
    );
    expect(await publish('demo', { 'SKILL.md': skillMd('demo') }, { overwrite: true })).toMatchObject({
      status: 'updated',
    });
  });

  it('does not replace a file of that name by a folder', async () => {
    await bare.commit({ demo: 'a file' });
    await expect(publish('demo', { 'SKILL.md': skillMd('demo') })).rejects.toThrow(/no folder/);
  });

  it('says with dry_run what would change, and writes nothing', async () => {
    await publish('demo', { 'SKILL.md': skillMd('demo'), a: '1', b: '1' });
    const before = await bare.readRef('refs/heads/main');
    fake.takeCalls();
    const result = await publish('demo', { 'SKILL.md': skillMd('demo'), a: '2', c: '1' }, { dryRun: true });
    expect(result).toMatchObject({
      status: 'dry-run',
      diff: [
        { path: 'a', change: 'changed' },
        { path: 'b', change: 'removed' },
        { path: 'c', change: 'added' },
      ],
    });
    expect(fake.takeCalls().every((call) => call.startsWith('GET '))).toBe(true);
    expect(await bare.readRef('refs/heads/main')).toBe(before);
  });

  it('does not publish where an installed skill came from', async () => {
    const text = '---\nname: demo\ndescription: x\nmetadata:\n  github-repo: "https://github.com/x/y"\n---\n';
    await publish('demo', { 'SKILL.md': text });
    expect((await bare.read('demo/SKILL.md')).toString()).toBe('---\nname: demo\ndescription: x\n---\n');
  });

  it('never opens a special file, follows no link out, and counts before it reads', async () => {
    writeFileSync(path.join(folder, 'SKILL.md'), skillMd('demo'));
    mkdirSync(path.join(folder, 'sub'));
    writeFileSync(path.join(folder, 'sub/a'), 'a');
    symlinkSync('sub/a', path.join(folder, 'inside'));
    expect(spawnSync('mkfifo', [path.join(folder, 'pipe')]).status).toBe(0);
    const payload = await open.registry.readFolder(folder);
    expect([...payload.files.keys()].sort()).toEqual(['SKILL.md', 'inside', 'sub/a']);
    expect(payload.skipped).toEqual(['pipe']);
    symlinkSync('/etc/hostname', path.join(folder, 'outside'));
    await expect(open.registry.readFolder(folder)).rejects.toThrow(/the link "outside" leads out/);
    await expect(open.registry.readFolder('relative')).rejects.toThrow(/absolute/);
    await expect(open.registry.readFolder('/no/such')).rejects.toThrow(/ENOENT/);
    await expect(open.registry.readFolder('/etc/hostname')).rejects.toThrow(/no directory/);
  });

  it('names file, size and cap of a folder that is too large', async () => {
    writeFileSync(path.join(folder, 'SKILL.md'), skillMd('demo'));
    writeFileSync(path.join(folder, 'big'), Buffer.alloc(2 * 1024 * 1024 + 1));
    await expect(open.registry.readFolder(folder)).rejects.toThrow(
      '"big" has 2097153 bytes, at most 2097152',
    );
    const wide = openRegistry(fake, { SKILLS_MAX_FILE_BYTES: '11534336' });
    writeFileSync(path.join(folder, 'big'), Buffer.alloc(9e6));
    writeFileSync(path.join(folder, 'big2'), Buffer.alloc(9e6));
    await expect(wide.registry.readFolder(folder)).rejects.toThrow(/at most 16777216/);
    rmSync(path.join(folder, 'big2'));
    writeFileSync(path.join(folder, 'big'), Buffer.alloc(11_534_336, 'é'));
    const largest = await wide.registry.publish(
      wide.operation(),
      request('demo', await wide.registry.readFolder(folder)),
    );
    const got = await wide.registry.get(wide.operation(), 'demo');
    expect(got.treeSha).toBe(largest.treeSha);
    await wide.close();
  });
});

describe.skipIf(GH_MISSING)(`versions ${GH_MISSING ?? ''}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let open: OpenRegistry;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    await bare.commit({ 'README.md': 'hello\n' });
    open = openRegistry(fake);
  });
  afterEach(async () => {
    await open.close();
    await fake.close();
  });

  const publish = (body: string, version?: string) =>
    open.registry.publish(
      open.operation(),
      request('demo', open.registry.readFiles({ 'SKILL.md': skillMd('demo', body) }), { version }),
    );
  const tag = (version: string) => bare.readRef(`refs/tags/demo/v${version}`);

  it('are tags at the commit; a taken one is a conflict and nothing is written [registry.versions]', async () => {
    const first = await publish('one', '1.0.0');
    expect(await tag('1.0.0')).toBe(first.commit);
    const head = await bare.readRef('refs/heads/main');
    await expect(publish('two', '1.0.0')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await bare.readRef('refs/heads/main')).toBe(head);
    expect(await publish('one', '1.0.0')).toMatchObject({ status: 'unchanged' });
    expect(await publish('one', '1.0.1')).toMatchObject({ status: 'unchanged', commit: first.commit });
    expect(await tag('1.0.1')).toBe(first.commit);
    await publish('two', '2.0.0-rc.1');
    const old = await open.registry.get(open.operation(), 'demo', 'v1.0.0');
    expect(old.treeSha).toBe(first.treeSha);
    // A tag that somebody made by hand, with a message of its own.
    await git(bare.directory, ['tag', '-a', '-m', 'by hand', 'demo/v0.9.0', String(first.commit)]);
    expect((await open.registry.get(open.operation(), 'demo', '0.9.0')).treeSha).toBe(first.treeSha);
    await expect(open.registry.get(open.operation(), 'demo', '9.9.9')).rejects.toThrow(
      'has no version 9.9.9',
    );
    await bare.fsck();
  });

  it('that are lost in between are said as such', async () => {
    const seed = await bare.readRef('refs/heads/main');
    fake.faults.push({
      at: /POST .*git\/refs/,
      before: () => bare.moveRef('refs/tags/demo/v1.0.0', seed ?? '', '0'.repeat(40)),
    });
    await expect(publish('one', '1.0.0')).rejects.toThrow(
      /demo is published at acme\/skills@[0-9a-f]{7}, but version 1.0.0 was taken by another commit/,
    );
    expect(await bare.files()).toContain('100644 demo/SKILL.md');
    fake.faults.push({ at: /POST .*git\/refs/, drop: 'after' });
    await publish('one', '1.0.1');
    expect(await tag('1.0.1')).toBe(await bare.readRef('refs/heads/main'));
  });

  it('and trees can be published again, a deleted skill too [registry.versions]', async () => {
    const first = await publish('one', '1.0.0');
    const second = await publish('two');
    const back = await open.registry.rollback(open.operation(), 'demo', '1.0.0');
    expect(back).toMatchObject({ status: 'rolled-back', treeSha: first.treeSha });
    expect(await bare.treeOf('demo')).toBe(first.treeSha);
    expect(await open.registry.rollback(open.operation(), 'demo', first.treeSha)).toMatchObject({
      status: 'unchanged',
    });
    await bare.commit({
      'other/SKILL.md': skillMd('other'),
      'other/sub/x': { mode: '100755', content: 'x' },
    });
    const other = await bare.treeOf('other');
    const gone = await open.registry.delete(open.operation(), 'demo');
    expect(gone).toMatchObject({ slug: 'demo', treeSha: first.treeSha });
    expect(await bare.files()).toEqual(['100644 README.md', '100644 other/SKILL.md', '100755 other/sub/x']);
    expect(await bare.treeOf('other')).toBe(other);
    await expect(open.registry.delete(open.operation(), 'demo')).rejects.toThrow('was not found');
    await open.registry.rollback(open.operation(), 'demo', second.treeSha);
    expect(await bare.treeOf('demo')).toBe(second.treeSha);
    await expect(open.registry.rollback(open.operation(), 'demo', 'a'.repeat(40))).rejects.toThrow(
      'was not found',
    );
    await bare.fsck();
  });
});
