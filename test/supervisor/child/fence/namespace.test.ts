import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createNamespace } from '../../../../supervisor/child/fence/namespace.js';
import { namespacesWork } from '../../../helpers/namespaces.js';

const folder = mkdtempSync(join(tmpdir(), 'skill-mcp-namespace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(namespacesWork)('a namespace whose supervisor died while it was being set up', () => {
  const containment = createNamespace({
    setpriv: '/usr/bin/setpriv',
    unshare: '/usr/bin/unshare',
    env: undefined,
    isRoot: process.getuid?.() === 0,
  });

  /** Runs `touch FILE` in a namespace; its diagnostics go to `reader`, which is there first. */
  async function touchBehind(reader: string): Promise<boolean> {
    const file = join(folder, reader.split(' ')[0] ?? '');
    const { file: wrapper, args } = containment.wrap({
      ...{ runId: 'none', cwd: '/', env: {}, network: 'host' },
      ...{ file: '/bin/sh', args: ['-c', `echo ran > ${file}`] },
    });
    const script = `{ sleep 0.5; exec "$@"; } 2>&1 >/dev/null 3>/dev/null | ${reader}`;
    const shell = spawn('/bin/sh', ['-c', script, 'sh', wrapper, ...args], { stdio: 'ignore' });
    await once(shell, 'exit');
    const deadline = Date.now() + 3000;
    while (!existsSync(file) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 50));
    return existsSync(file);
  }

  it('does not start the program: the init finds nobody at the other end [fence.server-killed]', async () => {
    // The death signal was missed; the closed end of the diagnostic pipe is all that is left to notice.
    expect(await touchBehind('true')).toBe(false);
  });

  it('starts it while the supervisor is there', async () => {
    expect(await touchBehind('cat >/dev/null')).toBe(true);
  });
});

it('names the signal of an abort as Node does', () => {
  const { readExit } = createNamespace({ setpriv: '/s', unshare: '/u', env: undefined, isRoot: false });
  expect(readExit({ code: 128 + 6, signal: null }, false)).toEqual({ code: null, signal: 'SIGABRT' });
  expect(readExit({ code: 128 + 29, signal: null }, false)).toEqual({ code: null, signal: 'SIGIO' });
});
