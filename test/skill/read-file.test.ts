import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Refusal } from '../../src/errors/refusal.js';
import { readBundleFile, statBundleFile } from '../../src/skill/read-file.js';
import type { Bundle } from '../../src/skill/refuse-file.js';
import { asNobody, canBecomeNobody } from '../helpers/as-nobody.js';
import { addToTree, type Leaf, makeTree } from '../helpers/skill-tree.js';

const MIB = 1024 * 1024;

function makeBundle(leaves: Record<string, Leaf>): Bundle & { outside: string } {
  const root = makeTree();
  mkdirSync(join(root, 'foo'));
  addToTree(join(root, 'foo'), leaves);
  addToTree(root, { 'foo-bar/secret.md': 'SECRET', 'other/SKILL.md': 'SECRET' });
  const files = Object.keys(leaves).map((path) => ({ path, size: 0 }));
  return { name: 'foo', directory: join(root, 'foo'), files, outside: root };
}

async function refusalOf(bundle: Bundle, path: string): Promise<string> {
  const refusals = await Promise.all(
    [readBundleFile(bundle, path, MIB), statBundleFile(bundle, path)].map((read) =>
      read.then(
        () => expect.unreachable(`${path} was read`),
        (error: unknown) => error,
      ),
    ),
  );
  const [refusal, same] = refusals;
  if (!(refusal instanceof Refusal)) throw refusal;
  // What stat says in advance is what reading says.
  expect(same).toEqual(refusal);
  return `${refusal.message}; ${refusal.hint}`;
}

describe('content', () => {
  it('is text when it is UTF-8 without NUL, else base64 with its size in bytes [tools.file]', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    const bundle = makeBundle({
      'a.png': png,
      'café.md': '\ufeffhé\r\n',
      'nul.txt': 'a\0b',
      'empty.md': '',
      'x.constructor': 'x',
    });
    expect(await readBundleFile(bundle, 'a.png', MIB)).toMatchObject({
      size: png.length,
      mediaType: 'image/png',
      encoding: 'base64',
      text: undefined,
      bytes: png,
      truncated: false,
    });
    expect(await readBundleFile(bundle, 'café.md', MIB)).toMatchObject({
      size: 8,
      mediaType: 'text/markdown',
      encoding: 'utf-8',
      text: '\ufeffhé\r\n',
      truncated: false,
    });
    expect(await readBundleFile(bundle, 'nul.txt', MIB)).toMatchObject({ encoding: 'base64', size: 3 });
    expect(await readBundleFile(bundle, 'empty.md', MIB)).toMatchObject({
      encoding: 'utf-8',
      text: '',
      size: 0,
    });
    expect(await readBundleFile(bundle, 'x.constructor', MIB)).toMatchObject({
      mediaType: 'application/octet-stream',
    });
  });

  it('tells names apart that some would decode to one', async () => {
    const bundle = makeBundle({ 'set up.md': '1', 'x#1?.md': '2', 'cafe\u0301.md': '3' });
    addToTree(bundle.directory, { 'a%20b.md': 'percent', 'a b.md': 'blank' });
    expect((await readBundleFile(bundle, 'a b.md', MIB)).text).toBe('blank');
    expect(await refusalOf(bundle, 'a%20b.md')).toMatch(/percent sign/);
    for (const { path } of bundle.files)
      expect((await readBundleFile(bundle, path, MIB)).text).toMatch(/^[123]$/);
  });

  it('is cut at a character and stays text', async () => {
    const text = `${'x'.repeat(MIB - 1)}😀 and more`;
    const bundle = makeBundle({
      'long.txt': text,
      'exact.txt': 'y'.repeat(MIB),
      'b.bin': Buffer.alloc(MIB + 5, 0xff),
    });
    const read = await readBundleFile(bundle, 'long.txt', MIB);
    expect(read).toMatchObject({ encoding: 'utf-8', truncated: true, size: Buffer.byteLength(text) });
    expect(read.text).toBe('x'.repeat(MIB - 1));
    expect(read.truncationNote).toBe(`first ${MIB - 1} of ${Buffer.byteLength(text)} bytes`);
    expect(await readBundleFile(bundle, 'exact.txt', MIB)).toMatchObject({ truncated: false });
    const binary = await readBundleFile(bundle, 'b.bin', MIB);
    expect(binary).toMatchObject({ encoding: 'base64', truncated: true });
    expect(binary.bytes).toHaveLength(MIB);
  });

  it('of a file far over the cap costs the cap', async () => {
    const bundle = makeBundle({ 'sparse.bin': '' });
    truncateSync(join(bundle.directory, 'sparse.bin'), 3 * 1024 * MIB);
    const before = process.memoryUsage().rss;
    const read = await readBundleFile(bundle, 'sparse.bin', MIB);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * MIB);
    expect(read).toMatchObject({ size: 3 * 1024 * MIB, truncated: true });
    expect(read.bytes).toHaveLength(MIB);
    expect(await statBundleFile(bundle, 'sparse.bin')).toEqual({ path: 'sparse.bin', size: 3 * 1024 * MIB });
  });

  it('of a Git LFS pointer says what it is', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    const bundle = makeBundle({ 'demo.mp4': pointer, 'about.md': `# About\n${pointer}` });
    expect(await readBundleFile(bundle, 'demo.mp4', MIB)).toMatchObject({ lfsPointer: true, text: pointer });
    expect(await readBundleFile(bundle, 'about.md', MIB)).toMatchObject({ lfsPointer: false });
  });
});

describe('refusals', () => {
  it('name the rule before anything is touched', async () => {
    const bundle = makeBundle({ 'a.md': 'x' });
    for (const path of [
      '../foo-bar/secret.md',
      '/etc/passwd',
      'a/../../other/SKILL.md',
      'a//b',
      './a.md',
      'a\0b',
      '%2e%2e/b',
      '..\\b',
    ]) {
      expect(await refusalOf(bundle, path)).toMatch(/^path ".*" is refused: it (holds|has|is)/);
    }
    addToTree(bundle.directory, { '.env': 'x', 'node_modules/a.js': 'x' });
    expect(await refusalOf(bundle, '.env')).toMatch(/dot files are not served/);
    expect(await refusalOf(bundle, 'node_modules/a.js')).toMatch(/nothing below node_modules is served/);
  });

  it('tell an absent file, with the names that differ in case', async () => {
    const bundle = makeBundle({ 'Docs/Guide.md': 'x', 'ref/other.md': 'y' });
    expect(await refusalOf(bundle, 'docs/guide.MD')).toMatch(/^not found: .*did you mean "Docs\/Guide.md"\?/);
    expect(await refusalOf(bundle, 'other.md')).toMatch(/^not found: .*did you mean "ref\/other.md"\?/);
    expect(await refusalOf(bundle, 'nothing.md')).toMatch(/^not found: .*skill_load lists/);
    expect(await refusalOf(bundle, 'Docs/Guide.md/x')).toMatch(/^not found/);
  });

  it('tell a file that is gone since the scan, without suggesting it', async () => {
    const bundle = makeBundle({ 'r.md': 'x' });
    rmSync(join(bundle.directory, 'r.md'));
    expect(await refusalOf(bundle, 'r.md')).toMatch(/^not found: "r.md" is gone since the scan/);
    expect(await refusalOf(bundle, 'r.md')).not.toMatch(/did you mean/);
  });

  it('tell a directory, a FIFO, a socket and a device, without waiting for any', async () => {
    const bundle = makeBundle({ 'dir/a.md': 'x' });
    execFileSync('mkfifo', [join(bundle.directory, 'pipe')]);
    const server = createServer().listen(join(bundle.directory, 'sock'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    expect(await refusalOf(bundle, 'dir')).toMatch(/not a regular file \(directory\)/);
    expect(await refusalOf(bundle, 'pipe')).toMatch(/not a regular file \(FIFO\)/);
    expect(await refusalOf(bundle, 'sock')).toMatch(/not a regular file \(socket\)/);
  });

  it('tell a link that leaves the skill, and follow one that stays [tools.file-inside]', async () => {
    const bundle = makeBundle({
      'real.md': 'inside',
      'link.md': { link: 'real.md' },
      'up/link.md': { link: '../real.md' },
      'passwd.md': { link: '/etc/passwd' },
      'twin.md': { link: '../foo-bar/secret.md' },
      dir: { link: '../other' },
      'dead.md': { link: 'nowhere' },
      loop: { link: 'loop' },
      null: { link: '/dev/null' },
    });
    expect((await readBundleFile(bundle, 'link.md', MIB)).text).toBe('inside');
    expect((await readBundleFile(bundle, 'up/link.md', MIB)).text).toBe('inside');
    for (const path of ['passwd.md', 'twin.md', 'dir/SKILL.md', 'dir', 'null']) {
      expect(await refusalOf(bundle, path)).toMatch(/resolves outside the skill/);
    }
    expect(await refusalOf(bundle, 'dead.md')).toMatch(/^not found/);
    expect(await refusalOf(bundle, 'loop')).toMatch(/^unreadable: .*ELOOP/);
  });

  it('tell a path too long for the file system', async () => {
    expect(await refusalOf(makeBundle({}), 'x'.repeat(300))).toMatch(/too long/);
  });

  it.runIf(canBecomeNobody)('tell what is there but may not be read', async () => {
    const bundle = makeBundle({ 'locked.md': 'x', 'shut/a.md': 'x' });
    chmodSync(join(bundle.directory, 'locked.md'), 0);
    chmodSync(join(bundle.directory, 'shut'), 0);
    const refusal = await asNobody(() =>
      readBundleFile(bundle, 'locked.md', MIB).catch((error: unknown) => error),
    );
    expect(refusal).toMatchObject({ message: 'unreadable: "locked.md" (EACCES, permission denied)' });
    expect(await asNobody(() => refusalOf(bundle, 'shut/a.md'))).toMatch(/^unreadable: .*EACCES/);
  });

  it('show hostile names on one line', async () => {
    const message = await refusalOf(makeBundle({}), 'a\n\u202eb');
    expect(message).toMatch(/^path "a\\u\{a\}\\u\{202e\}b" is refused/);
  });

  it('do not cover hard links, which are files like any other', async () => {
    const bundle = makeBundle({ 'a.md': 'x' });
    linkSync(join(bundle.outside, 'other/SKILL.md'), join(bundle.directory, 'hard.md'));
    expect((await readBundleFile(bundle, 'hard.md', MIB)).text).toBe('SECRET');
  });
});

describe('a directory swapped for a link while it is read [tools.file-inside]', () => {
  it('never gives bytes from outside', { timeout: 120_000 }, async () => {
    const bundle = makeBundle({ 'sub/f.md': 'inside' });
    addToTree(bundle.outside, { 'evil/f.md': 'SECRET', 'foo/lnk': { link: '../evil' } });
    const at = (name: string): string => join(bundle.directory, name);
    const swapper = fork(fileURLToPath(new URL('../fixtures/callers/swap-directory.mjs', import.meta.url)), [
      at('sub'),
      at('aside'),
      at('lnk'),
    ]);
    await once(swapper, 'message');
    const seen = { inside: 0, outside: 0 };
    try {
      const attempt = async (): Promise<void> => {
        try {
          expect((await readBundleFile(bundle, 'sub/f.md', MIB)).text).toBe('inside');
          seen.inside += 1;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          seen.outside += Number(/resolves outside|changed while reading/.test(error.message));
        }
      };
      for (let round = 0; round < 1_000; round++) await Promise.all([attempt(), attempt(), attempt()]);
    } finally {
      const ended = once(swapper, 'exit');
      swapper.disconnect();
      await ended;
    }
    // Both outcomes were met, or nothing was raced.
    expect(seen.inside).toBeGreaterThan(10);
    expect(seen.outside).toBeGreaterThan(10);
  });
});

describe('a file that is being written', () => {
  it('is of one moment or refused', { timeout: 60_000 }, async () => {
    const bundle = makeBundle({ 'f.txt': 'a'.repeat(200_000) });
    const path = join(bundle.directory, 'f.txt');
    let stop = false;
    const writer = (async () => {
      for (let turn = 0; !stop; turn++) {
        writeFileSync(path, (turn % 2 === 0 ? 'b' : 'a').repeat(200_000));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    for (let round = 0; round < 200; round++) {
      try {
        const { text } = await readBundleFile(bundle, 'f.txt', MIB);
        expect(text).toMatch(/^(?:a*|b*)$/);
      } catch (error) {
        expect(error).toMatchObject({ message: '"f.txt" changed while reading' });
      }
    }
    stop = true;
    await writer;
  });
});

it('closes every handle that it opened', async () => {
  const bundle = makeBundle({ 'a.md': 'x' });
  mkdirSync(join(bundle.directory, 'd'));
  const firstFree = openSync(join(bundle.directory, 'a.md'), 'r');
  for (let round = 0; round < 200; round++) {
    await readBundleFile(bundle, 'a.md', MIB);
    await readBundleFile(bundle, 'd', MIB).catch(() => undefined);
  }
  expect(openSync(join(bundle.directory, 'a.md'), 'r')).toBeLessThan(firstFree + 20);
});
