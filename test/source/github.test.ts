import { once } from 'node:events';
import { existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GithubSpec } from '../../src/config/source-spec.js';
import { ToolRunner } from '../../src/process/tool-command.js';
import { readSource } from '../../src/source/read-source.js';
import type { SyncOutcome } from '../../src/source/source.js';
import { placeGenerations, SourceSyncer } from '../../src/source/sync.js';
import { GitWorld, skillText } from '../helpers/git-remote.js';

const ENTRY = path.join(import.meta.dirname, '../../dist/supervisor-child.js');

let runner: ToolRunner;
let world: GitWorld;

beforeAll(() => {
  runner = new ToolRunner({ env: process.env, entry: ENTRY });
});
afterAll(() => runner.close());
beforeEach(() => {
  world = new GitWorld();
});
afterEach(() => world.remove());

function makeSyncer(variables: Record<string, string> = {}, timeoutMs = 30_000): SourceSyncer {
  return new SourceSyncer({
    cache: world.cache,
    runner: () => runner,
    variables: new Map(Object.entries({ ...world.variables, ...variables })),
    home: world.home,
    timeoutMs,
    now: Date.now,
  });
}

function sync(spec: object, variables?: Record<string, string>): Promise<SyncOutcome> {
  return makeSyncer(variables).sync(
    GithubSpec.parse({ kind: 'github', id: 'src', repo: 'owner/name', ...spec }),
  );
}

async function served(): Promise<readonly string[]> {
  const current = await placeGenerations(world.cache, 'src').current();
  if (current === undefined) return [];
  const { base, record } = current;
  const { skills } = await readSource(
    { id: 'src', base, paths: record.paths, trusted: false },
    { strict: false },
  );
  return skills.map(({ name }) => name);
}

const folder = () => path.join(world.cache, 'sources', 'src');
const generationsLeft = () => readdirSync(folder()).filter((name) => name.startsWith('gen-'));

describe('a GitHub source', () => {
  it('follows the branch that the remote calls its default, whatever that is called', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') }, 'trunk');
    const sha = remote.git(['rev-parse', 'HEAD']);
    expect(await sync({})).toMatchObject({ ok: true, status: 'synced', sha, skills: 1 });
    expect(await served()).toEqual(['a']);
  });

  it('is not led astray by a branch that is called HEAD', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    const right = remote.git(['rev-parse', 'HEAD']);
    remote.git(['checkout', '-q', '-b', 'other']);
    writeFileSync(path.join(remote.work, 'skills/a/SKILL.md'), skillText('wrong'));
    remote.git(['commit', '-qam', 'other']);
    remote.git(['push', '-q', 'origin', 'other:refs/heads/HEAD']);
    expect(await sync({})).toMatchObject({ ok: true, sha: right });
    const wrong = remote.git(['rev-parse', 'other']);
    expect(await sync({ ref: 'HEAD' })).toMatchObject({ ok: true, sha: wrong });
  });

  it('takes a branch, a lightweight tag and an annotated tag by name', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    const first = remote.git(['rev-parse', 'HEAD']);
    remote.git(['tag', 'light']);
    remote.git(['tag', '-a', 'v1', '-m', 'v1']);
    remote.git(['push', '-q', 'origin', 'light', 'v1', 'HEAD:refs/heads/feature/x']);
    remote.commit({ 'skills/b/SKILL.md': skillText('b') });
    for (const ref of ['light', 'v1', 'feature/x', 'refs/tags/v1']) {
      expect(await sync({ ref })).toMatchObject({ ok: true, sha: first, skills: 1 });
    }
    expect(await sync({ ref: 'nothing' })).toMatchObject({
      ok: false,
      status: 'cached',
      error: 'there is no branch or tag "nothing" in owner/name',
    });
  });

  it('says that an empty repository, or a HEAD that dangles, has no default branch', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    remote.inBare(['symbolic-ref', 'HEAD', 'refs/heads/gone']);
    expect(await sync({})).toMatchObject({ ok: false, status: 'failed' });
    expect((await sync({})).error).toContain('no default branch');
    expect(existsSync(path.join(folder(), 'current'))).toBe(false);
  });

  it.each(['0', '2'])(
    'takes a pinned commit that no branch leads to, under protocol version %s',
    async (version) => {
      const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
      const first = remote.git(['rev-parse', 'HEAD']);
      remote.commit({ 'skills/b/SKILL.md': skillText('b') });
      world.configure(`${readConfig()}[protocol]\n\tversion = ${version}\n`);
      expect(await sync({ sha: first.toUpperCase(), ref: 'main' })).toMatchObject({
        ok: true,
        sha: first,
        skills: 1,
      });
      expect(await sync({ sha: first })).toMatchObject({ ok: true, status: 'unchanged' });
      const absent = 'a'.repeat(40);
      const outcome = await sync({ sha: absent });
      expect(outcome).toMatchObject({ ok: false, status: 'cached', sha: first });
      expect(outcome.error).toContain(`commit ${absent} is not in the repository owner/name`);
    },
  );

  it('works with a server that leaves nothing out when asked to', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    remote.inBare(['config', 'uploadpack.allowFilter', 'false']);
    expect(await sync({})).toMatchObject({ ok: true, skills: 1 });
  });

  it('refuses an id that is a file or a tree and no commit', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    for (const name of ['HEAD:skills/a/SKILL.md', 'HEAD:skills']) {
      const outcome = await sync({ sha: remote.git(['rev-parse', name]) });
      expect(outcome).toMatchObject({ ok: false, status: 'failed' });
      expect(outcome.error).toContain('is not a commit');
    }
    expect(await served()).toEqual([]);
  });

  it('names paths that do not exist, files and submodules, and keeps the rest', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a'), 'file.txt': 'x' });
    const commit = remote.git(['rev-parse', 'HEAD']);
    remote.git(['update-index', '--add', '--cacheinfo', `160000,${commit},skills/linked`]);
    writeFileSync(path.join(remote.work, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs\n');
    remote.git(['add', '.gitattributes']);
    remote.commitStaged();
    const outcome = await sync({ paths: ['skills', 'absent', 'file.txt'] });
    expect(outcome).toMatchObject({ ok: true, skills: 1 });
    expect(outcome.warnings?.join('\n')).toMatch(
      /"absent" does not exist[\s\S]*"file.txt" is a file[\s\S]*"skills\/linked" is not fetched/,
    );
    expect(await sync({ id: 'src', paths: ['nowhere'] })).toMatchObject({ ok: false });
  });

  it('brings the bytes of the commit, whatever filters and line ends the repository and its reader wish for', async () => {
    world.repository('owner/name', {
      '.gitattributes': '*.txt text eol=crlf\n*.bin filter=lfs\n*.id ident\n',
      'skills/a/SKILL.md': skillText('a'),
      'skills/a/lines.txt': 'one\ntwo\n',
      'skills/a/big.bin': 'version https://git-lfs.github.com/spec/v1\n',
      'skills/a/x.id': '$Id$\n',
    });
    world.configure(
      `${readConfig()}[filter "lfs"]\n\tsmudge = false\n\trequired = true\n[core]\n\tautocrlf = true\n`,
    );
    expect(await sync({})).toMatchObject({ ok: true });
    const current = await placeGenerations(world.cache, 'src').current();
    const read = (name: string) => readFileSync(path.join(current?.base ?? '', 'skills/a', name), 'utf8');
    expect([read('lines.txt'), read('big.bin'), read('x.id')]).toEqual([
      'one\ntwo\n',
      'version https://git-lfs.github.com/spec/v1\n',
      '$Id$\n',
    ]);
  });

  it('is not changed by a repository that happens to lie around its cache', async () => {
    world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    mkdirSync(path.join(world.directory, '.git'));
    writeFileSync(path.join(world.directory, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      path.join(world.directory, '.git/config'),
      '[url "file:///nowhere/"]\n\tinsteadOf = file://\n[core\n',
    );
    for (const name of ['objects', 'refs']) mkdirSync(path.join(world.directory, '.git', name));
    expect(await sync({})).toMatchObject({ ok: true, skills: 1 });
  });

  it('takes paths of any spelling for what they are', async () => {
    const paths = ['my skills[1]', 'a*b', 'skills/#x', '!y', 'é ?', '"quoted"'];
    world.repository(
      'owner/name',
      Object.fromEntries([
        ...paths.map((name, index) => [`${name}/skill-${index}/SKILL.md`, skillText('x')]),
        ['axb/wrong/SKILL.md', skillText('wrong')],
        ['other/wrong/SKILL.md', skillText('wrong')],
      ]),
    );
    expect(await sync({ paths })).toMatchObject({ ok: true, skills: paths.length });
    expect(await served()).toEqual(paths.map((_, index) => `skill-${index}`));
    const current = await placeGenerations(world.cache, 'src').current();
    expect(existsSync(path.join(current?.base ?? '', 'axb'))).toBe(false);
  });

  it('equals the tree: what vanished upstream vanishes and is named, even the last of all', async () => {
    const remote = world.repository('owner/name', {
      'skills/a/SKILL.md': skillText('a'),
      'skills/b/SKILL.md': skillText('b'),
      'README.md': 'x',
    });
    await sync({});
    remote.commit({ 'skills/b': null });
    expect(await sync({})).toMatchObject({ ok: true, status: 'synced', vanished: ['b'] });
    expect(await served()).toEqual(['a']);
    remote.commit({ skills: null });
    expect(await sync({})).toMatchObject({ ok: true, vanished: ['a'], skills: 0 });
    expect(await served()).toEqual([]);
  });

  it('keeps no repository, writes down what it fetched, and keeps the newest two generations', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    for (const body of ['1', '2', '3']) {
      remote.commit({ 'skills/a/SKILL.md': skillText('a', body) });
      await sync({});
    }
    const names = generationsLeft();
    expect(names).toHaveLength(2);
    const current = readFileSync(path.join(folder(), 'current'), 'utf8').trim();
    const record = JSON.parse(readFileSync(path.join(folder(), current, 'source.json'), 'utf8'));
    expect(record).toMatchObject({
      repo: 'owner/name',
      sha: remote.git(['rev-parse', 'HEAD']),
      paths: ['skills'],
    });
    const everything = names.flatMap((name) =>
      readdirSync(path.join(folder(), name), { recursive: true, encoding: 'utf8' }),
    );
    expect(everything.filter((name) => name.split('/').includes('.git'))).toEqual([]);
    expect(await sync({})).toMatchObject({ ok: true, status: 'unchanged' });
    expect(generationsLeft()).toEqual(names);
  });

  it('heals: half a generation, a pointer to nowhere and a torn record are swept or passed over', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    await sync({});
    const half = path.join(folder(), `gen-${'0'.repeat(16)}`);
    mkdirSync(path.join(half, 'tree/name/.git'), { recursive: true });
    writeFileSync(path.join(half, 'tree/name/.git/index.lock'), '');
    writeFileSync(path.join(folder(), 'current'), `gen-${'f'.repeat(16)}\n`);
    writeFileSync(path.join(folder(), 'current.1234.tmp'), 'gen');
    expect(await served()).toEqual(['a']);
    remote.commit({ 'skills/b/SKILL.md': skillText('b') });
    expect(await sync({})).toMatchObject({ ok: true, status: 'synced' });
    expect(existsSync(half)).toBe(false);
    expect(existsSync(path.join(folder(), 'current.1234.tmp'))).toBe(false);
    expect(await served()).toEqual(['a', 'b']);
  });

  it('lets two syncs at once end well, in one process and in two', async () => {
    world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    const spec = GithubSpec.parse({ kind: 'github', id: 'src', repo: 'owner/name' });
    const one = makeSyncer();
    const outcomes = await Promise.all([one.sync(spec), one.sync(spec), makeSyncer().sync(spec)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(generationsLeft()).toHaveLength(1);
    expect(await served()).toEqual(['a']);
  });

  it('is never led into a command line, by no repository, ref, path or configuration', async () => {
    for (const bad of [
      { repo: '--upload-pack=touch x' },
      { repo: 'ext::sh -c id/x' },
      { repo: 'https://github.com/owner/name' },
      { repo: 'owner/..' },
      { ref: '-x' },
      { ref: '--upload-pack=touch' },
      { ref: 'a..b' },
      { paths: ['--foo'] },
      { paths: ['../x'] },
      { paths: ['/etc'] },
      { sha: 'abc' },
    ]) {
      expect(GithubSpec.safeParse({ kind: 'github', id: 'x', repo: 'owner/name', ...bad }).success).toBe(
        false,
      );
    }
    const witness = path.join(world.directory, 'witness');
    world.configure(
      `[url "ext::touch ${witness} "]\n\tinsteadOf = https://github.com/\n[protocol "ext"]\n\tallow = always\n`,
    );
    const outcome = await sync({}, { GIT_ALLOW_PROTOCOL: 'ext', GIT_SSH_COMMAND: `touch ${witness}` });
    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
    expect(outcome.error).toContain('ext');
    expect(existsSync(witness)).toBe(false);
  });

  it('shows no token and no user of a URL in any message [sources.secrets]', async () => {
    world.configure(
      '[url "file://user:ghp_abcdefghijklmnop1234@127.0.0.1/nowhere/"]\n\tinsteadOf = https://github.com/\n',
    );
    const outcome = await sync({});
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).not.toMatch(/ghp_|user:|abcdefghijklmnop/);
  });

  it('hands git nothing but what is allowed, and the settings of its user [sources.secrets]', async () => {
    world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    const bin = path.join(world.directory, 'bin');
    mkdirSync(bin);
    const log = path.join(world.directory, 'env.log');
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\nenv >> ${log}\nexec /usr/bin/git "$@"\n`, {
      mode: 0o755,
    });
    const outcome = await sync(
      {},
      {
        PATH: `${bin}:${process.env.PATH}`,
        GITHUB_TOKEN: 'secret-1',
        TYPESAFE_AI_API_KEY: 'secret-2',
        SSH_ASKPASS: '/bin/false',
        GIT_DIR: '/nowhere',
        GIT_CONFIG_GLOBAL: '/dev/null',
        HTTPS_PROXY: 'http://proxy.example',
      },
    );
    expect(outcome).toMatchObject({ ok: true });
    const seen = readFileSync(log, 'utf8');
    expect(seen).not.toMatch(/secret-|SSH_ASKPASS|GIT_DIR|GIT_CONFIG_GLOBAL/);
    expect(seen).toMatch(/^GIT_TERMINAL_PROMPT=0$/m);
    expect(seen).toMatch(/^GIT_LFS_SKIP_SMUDGE=1$/m);
    expect(seen).toMatch(/^HTTPS_PROXY=http:\/\/proxy.example$/m);
  });

  it.each([
    [429, /HTTP 429: rate limit/],
    [403, /HTTP 403: rate limit or no access/],
    [404, /not found/],
    [401, /no access/],
    [503, /HTTP 503/],
  ])('names the status %i of a server and keeps the copy that it has', async (status, words) => {
    world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    await sync({});
    const http = createServer((_, response) => {
      response.statusCode = status;
      response.end('no');
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const address = http.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    world.configure(`[url "http://me:hunter2@127.0.0.1:${port}/"]\n\tinsteadOf = https://github.com/\n`);
    const outcome = await sync({});
    http.close();
    expect(outcome).toMatchObject({ ok: false, status: 'cached', error: expect.stringMatching(words) });
    expect(outcome.warnings?.[0]).toMatch(words);
    expect(JSON.stringify(outcome)).not.toMatch(/hunter2|me:/);
    expect(await served()).toEqual(['a']);
  });

  it.skipIf(process.getuid?.() !== 0)('is not stopped by a cache that another user owns', async () => {
    const remote = world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    await sync({});
    for (const name of ['.', ...readdirSync(folder(), { recursive: true, encoding: 'utf8' })]) {
      lchownSync(path.join(folder(), name), 12_345, 12_345);
    }
    remote.commit({ 'skills/b/SKILL.md': skillText('b') });
    expect(await sync({})).toMatchObject({ ok: true, skills: 2 });
  });

  it('is bounded in time and keeps the copy that it has', async () => {
    world.repository('owner/name', { 'skills/a/SKILL.md': skillText('a') });
    await sync({});
    const bin = path.join(world.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'git'), '#!/bin/sh\nexec sleep 20\n', { mode: 0o755 });
    const syncer = makeSyncer({ PATH: `${bin}:/usr/bin:/bin` }, 700);
    const outcome = await syncer.sync(GithubSpec.parse({ kind: 'github', id: 'src', repo: 'owner/name' }));
    expect(outcome).toMatchObject({ ok: false, status: 'cached' });
    expect(outcome.error).toContain('did not end within 0.7 s');
    expect(await served()).toEqual(['a']);
  });

  it('cuts a skill at 16 MiB, keeps its instructions and says so', async () => {
    world.repository('owner/name', {
      'skills/a/SKILL.md': skillText('a'),
      'skills/a/0.bin': 'x'.repeat(15 * 1024 * 1024),
      'skills/a/1.bin': 'x'.repeat(3 * 1024 * 1024),
      'skills/a/2.txt': 'small',
    });
    const outcome = await sync({});
    expect(outcome.warnings?.[0]).toMatch(/^file-limit: skills\/a has \d+ bytes.* 1 of its files/);
    const current = await placeGenerations(world.cache, 'src').current();
    expect(readdirSync(path.join(current?.base ?? '', 'skills/a'))).toEqual(['0.bin', '2.txt', 'SKILL.md']);
  });
});

function readConfig(): string {
  return readFileSync(path.join(world.home, '.gitconfig'), 'utf8');
}
