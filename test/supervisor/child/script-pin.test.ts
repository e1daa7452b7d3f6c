import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChildDriver } from '../../helpers/child-driver.js';
import { scriptPath } from '../../helpers/scripts.js';

let child: ChildDriver;
let root: string;
let path: string;
beforeAll(async () => {
  child = new ChildDriver();
  await child.ready();
});
afterAll(() => child.dispose());
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pin-')));
  path = join(root, 'script.sh');
  writeFileSync(path, 'echo approved\n');
});
afterEach(() => rmSync(root, { recursive: true }));

function pinOf(file = path, bytes = 'echo approved\n') {
  const { dev, ino } = statSync(file, { bigint: true });
  return {
    path: file,
    root,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    dev: `${dev}`,
    ino: `${ino}`,
  };
}

const run = (script: ReturnType<typeof pinOf>) => child.run({ file: '/bin/sh', args: [script.path], script });

describe('a pinned script [run.approved-bytes]', () => {
  it('runs when it is as approved', async () => {
    const answer = await run(pinOf());
    expect(answer).toMatchObject({ exitCode: 0, scriptChanged: false });
    expect(String(answer.stdout)).toBe('approved\n');
  });

  it('is refused with other bytes in the same file', async () => {
    const pin = pinOf();
    writeFileSync(path, 'echo changed!\n');
    expect(await run(pin)).toMatchObject({ code: 'changed', message: expect.stringMatching(/bytes/) });
  });

  it('is refused with the same bytes in another file', async () => {
    const pin = pinOf();
    copyFileSync(path, join(root, 'twin'));
    renameSync(join(root, 'twin'), path);
    expect(await run(pin)).toMatchObject({ code: 'changed', message: expect.stringMatching(/replaced/) });
  });

  it('is refused when it is gone, a link, a FIFO, or outside its directory', async () => {
    const pin = pinOf();
    expect(await run({ ...pin, root: join(root, 'sub') })).toMatchObject({ code: 'changed' });
    renameSync(path, join(root, 'moved'));
    expect(await run(pin)).toMatchObject({ code: 'changed' });
    symlinkSync('moved', path);
    expect(await run(pin)).toMatchObject({ code: 'changed' });
    unlinkSync(path);
    execFileSync('mkfifo', [path]);
    expect(await run(pin)).toMatchObject({ code: 'changed' });
  });

  it('may not hide behind a name that only begins like its directory', async () => {
    expect(await run({ ...pinOf(), root: root.slice(0, -1) })).toMatchObject({ code: 'changed' });
  });

  it('that changes itself is reported', async () => {
    copyFileSync(scriptPath('edits-itself.sh'), path);
    const bytes = 'echo \'# one line more\' >>"$0"\n';
    expect(await run(pinOf(path, bytes))).toMatchObject({ exitCode: 0, scriptChanged: true });
  });

  it('may be large', async () => {
    const bytes = `exit 0\n${'#'.repeat(9 * 1024 * 1024)}\n`;
    writeFileSync(path, bytes);
    expect(await run(pinOf(path, bytes))).toMatchObject({ exitCode: 0, scriptChanged: false });
  });
});
