import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe.skipIf(GH_MISSING)(`publishing ${GH_MISSING ?? 'through the real gh'}`, () => {
  let fake: FakeGitHub;
  let bare: BareRepository;
  let open: OpenRegistry;

  beforeEach(async () => {
    fake = await FakeGitHub.start();
    bare = await fake.addRepository('acme/skills');
    await bare.commit({ 'README.md': 'hello\n', 'other/SKILL.md': skillMd('other') });
    open = openRegistry(fake);
    await open.registry.connection.check();
    fake.takeCalls();
  });
  afterEach(async () => {
    await open.close();
    await fake.close();
  });

  const publish = (name: string, files: Record<string, string>, more = {}) =>
    open.registry.publish(open.operation(), request(name, open.registry.readFiles(files), more));

  it('takes six calls for a new skill of 23 text files, and makes exactly that tree [registry.six-calls, registry.exact]', async () => {
    const files: Record<string, string> = { 'SKILL.md': skillMd('demo') };
    for (let n = 0; n < 22; n++) files[`docs/part-${n}/page.md`] = `page ${n}\n`;
    const other = await bare.treeOf('other');
    const result = await publish('demo', files);
    expect(fake.takeCalls().map((call) => call.replace(/[0-9a-f]{40}/g, 'SHA'))).toEqual([
      'GET repos/acme/skills/git/ref/heads/main',
      'GET repos/acme/skills/git/trees/SHA',
      'POST repos/acme/skills/git/trees',
      'POST repos/acme/skills/git/trees',
      'POST repos/acme/skills/git/commits',
      'PATCH repos/acme/skills/git/refs/heads/main',
    ]);
    expect(result).toMatchObject({ slug: 'demo', status: 'created', treeSha: await bare.treeOf('demo') });
    expect(result.commit).toBe(await bare.readRef('refs/heads/main'));
    expect(result.diff).toHaveLength(23);
    expect(await bare.treeOf('other')).toBe(other);
    expect((await bare.log()).map(({ subject }) => subject)).toEqual(['publish: demo', 'seed']);
    await bare.fsck();
  });

  it('takes seven calls for an update with expect, eight without, two when nothing changed [registry.six-calls]', async () => {
    const first = await publish('demo', { 'SKILL.md': skillMd('demo'), 'a.txt': 'a\n', 'b.txt': 'b\n' });
    fake.takeCalls();
    const second = await publish(
      'demo',
      { 'SKILL.md': skillMd('demo'), 'a.txt': 'A\n' },
      { expect: first.treeSha },
    );
    expect(fake.takeCalls()).toHaveLength(7);
    expect(second).toMatchObject({
      status: 'updated',
      diff: [
        { path: 'a.txt', change: 'changed' },
        { path: 'b.txt', change: 'removed' },
      ],
    });
    expect(await bare.files()).not.toContain('100644 demo/b.txt');
    await publish('demo', { 'SKILL.md': skillMd('demo'), 'a.txt': 'AA\n' });
    expect(fake.takeCalls()).toHaveLength(8);
    const again = await publish('demo', { 'SKILL.md': skillMd('demo'), 'a.txt': 'AA\n' });
    expect(again.status).toBe('unchanged');
    expect(fake.takeCalls()).toHaveLength(2);
    await bare.fsck();
  });

  it('keeps the mode of a file that the registry holds as executable: three calls when nothing changed', async () => {
    await bare.commit({
      'demo/SKILL.md': skillMd('demo'),
      'demo/run.sh': { mode: '100755', content: 'echo 1\n' },
    });
    const result = await publish('demo', { 'SKILL.md': skillMd('demo'), 'run.sh': 'echo 1\n' });
    expect(result.status).toBe('unchanged');
    expect(fake.takeCalls()).toHaveLength(3);
    await publish('demo', { 'SKILL.md': skillMd('demo'), 'run.sh': 'echo 2\n', 'new.sh': 'x\n' });
    expect(await bare.files()).toEqual(expect.arrayContaining(['100755 demo/run.sh', '100644 demo/new.sh']));
  });

  it('sends each further megabyte of text and each binary file in one more call', async () => {
    const text = 'x'.repeat(900_000);
    await publish('big', { 'SKILL.md': skillMd('big'), 'a.txt': text, 'b.txt': `${text}b` });
    expect(fake.takeCalls()).toHaveLength(7);
    expect((await bare.read('big/b.txt')).length).toBe(900_001);
    await bare.fsck();
  });

  it('publishes bytes and execute bits of a folder as they are, and names what it leaves out [registry.exact]', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'skill-'));
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    mkdirSync(path.join(folder, '.git'));
    mkdirSync(path.join(folder, '__pycache__'));
    mkdirSync(path.join(folder, 'bin'));
    writeFileSync(path.join(folder, '.git', 'config'), 'secret');
    writeFileSync(path.join(folder, 'SKILL.md'), skillMd('demo'));
    writeFileSync(path.join(folder, 'every.bin'), every);
    writeFileSync(path.join(folder, 'bin', 'go.sh'), 'echo go\n');
    chmodSync(path.join(folder, 'bin', 'go.sh'), 0o755);
    try {
      const payload = await open.registry.readFolder(folder);
      const result = await open.registry.publish(open.operation(), request('demo', payload));
      expect(result.skipped).toEqual(['.git', '__pycache__']);
      expect(fake.takeCalls()).toHaveLength(7);
      expect(await bare.read('demo/every.bin')).toEqual(every);
      expect(await bare.files()).toEqual(
        expect.arrayContaining(['100755 demo/bin/go.sh', '100644 demo/every.bin', '100644 demo/SKILL.md']),
      );
      const got = await open.registry.get(open.operation(), 'demo');
      expect(got.treeSha).toBe(result.treeSha);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
