import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ChildDriver, type DriverOptions } from '../../../helpers/child-driver.js';
import { sandboxesWork } from '../../../helpers/namespaces.js';
import { SCRIPT_ENV } from '../../../helpers/scripts.js';

const base = mkdtempSync(join(tmpdir(), 'skill-mcp-sandbox-'));
const skill = join(base, 'skills', 'one');
mkdirSync(join(skill, 'out'), { recursive: true });
mkdirSync(join(base, 'granted'));
writeFileSync(join(base, 'secret'), 'a secret\n');
writeFileSync(join(base, 'granted', 'data'), 'granted\n');
writeFileSync(join(skill, 'run.sh'), 'eval "$1"\n');
afterAll(() => rmSync(base, { recursive: true, force: true }));

let child: ChildDriver | undefined;
afterEach(() => child?.dispose());

async function start(fenceOptions: NonNullable<DriverOptions['hello']>['fenceOptions']) {
  child = new ChildDriver({ fence: 'sandbox', hello: { fenceOptions } });
  const { fence } = await child.ready();
  return { child, fence };
}

const NOTHING = { readable: [], writable: [] };

/** Runs a line of shell as the pinned script of the skill. */
async function runInSkill(driver: ChildDriver, line: string, more: object = {}) {
  const path = join(skill, 'run.sh');
  const { dev, ino } = statSync(path, { bigint: true });
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  const answer = await driver.run({
    ...{ file: '/bin/sh', args: [path, line], cwd: skill, env: SCRIPT_ENV },
    ...{ script: { path, root: skill, sha256, dev: String(dev), ino: String(ino) }, ...more },
  });
  return { ...answer, text: String(answer.stdout), errors: String(answer.stderr) };
}

describe.runIf(sandboxesWork)('a sandbox [fence.sandbox]', () => {
  it('shows the system and the skill, and nothing else of the machine', async () => {
    const { child, fence } = await start(NOTHING);
    expect(fence).toEqual({ level: 'sandbox', network: 'none' });
    const { text } = await runInSkill(
      child,
      `ls -a / /tmp ${base}; ls; cat ${base}/secret /etc/passwd /etc/shadow`,
    );
    const entries = text.split(/\s+/);
    expect(entries).toContain('run.sh');
    for (const hidden of ['secret', 'granted', 'root', 'home', 'var', 'sys', 'mnt'])
      expect(entries).not.toContain(hidden);
    expect(text).not.toMatch(/a secret|root:/);
  });

  it('has a system and a skill that cannot be written, and a /tmp of its own for each run', async () => {
    const { child } = await start(NOTHING);
    const { text } = await runInSkill(
      child,
      `for f in /x /usr/x /etc/x ${skill}/x ${skill}/run.sh; do (echo no >$f) 2>/dev/null && echo wrote $f; done; echo mine >/tmp/mine; cat /tmp/mine`,
    );
    expect(text).toBe('mine\n');
    expect(await runInSkill(child, 'cat /tmp/mine')).toMatchObject({ exitCode: 1 });
    expect(existsSync('/tmp/mine')).toBe(false);
  });

  it('shows granted folders with their rights, also around and inside of the skill', async () => {
    const { child } = await start({
      readable: [join(base, 'granted'), '/nonexistent'],
      writable: [join(base, 'skills'), join(skill, 'out')],
    });
    const { text, errors } = await runInSkill(
      child,
      `cat ${base}/granted/data; echo new >${base}/skills/new; echo out >out/file; echo no >run.sh; echo no >${base}/granted/data`,
    );
    expect(text).toBe('granted\n');
    expect(readFileSync(join(base, 'skills', 'new'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(skill, 'out', 'file'), 'utf8')).toBe('out\n');
    expect(errors.match(/Read-only file system/g)).toHaveLength(2);
  });

  it('refuses to show the whole machine, its processes or its devices', async () => {
    for (const path of ['/', '/proc', '/usr/../dev']) {
      const { child, fence } = await start({ readable: [path], writable: [] });
      expect(fence.refusal).toMatch(/a sandbox cannot show/);
      expect(await child.run({ file: '/bin/true' })).toMatchObject({ code: 'fence-unavailable' });
      await child.dispose();
    }
  });

  it('never shows the whole machine because a program is to start there', async () => {
    const { child } = await start(NOTHING);
    for (const cwd of ['/', '/tmp', '/proc']) {
      const answer = await child.run({ file: '/bin/ls', args: ['/', '/tmp'], cwd });
      expect(answer).toMatchObject({ exitCode: 0 });
      expect(String(answer.stdout).split(/\s+/)).not.toContain('home');
    }
  });

  it('has no network unless the run was given the host’s', async () => {
    const { child } = await start(NOTHING);
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const program = `require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`;
    const run = { file: process.execPath, args: ['-e', program], cwd: '/' };
    const cut = await child.run(run);
    expect(cut).toMatchObject({ exitCode: 0, fence: { level: 'sandbox', network: 'none' } });
    expect(String(cut.stdout)).toMatch(/^E(CONNREFUSED|NETUNREACH)/);
    const open = await child.run({ ...run, network: 'host' });
    expect(open).toMatchObject({ exitCode: 0, fence: { level: 'sandbox', network: 'host' } });
    expect(String(open.stdout)).toBe('hello\n');
    server.close();
  });

  it('gives a private folder to a program whose TMPDIR is elsewhere', async () => {
    const { child } = await start(NOTHING);
    const { text } = await runInSkill(child, 'echo here >$TMPDIR/file; ls $TMPDIR', {
      env: { ...SCRIPT_ENV, TMPDIR: '/var/tmp/elsewhere' },
    });
    expect(text).toBe('file\n');
  });

  it('lets a program end by itself when it is asked to', async () => {
    const { child } = await start(NOTHING);
    const answer = await runInSkill(child, 'trap "echo bye; exit 9" TERM; while :; do sleep 0.05; done', {
      timeoutMs: 500,
    });
    expect(answer).toMatchObject({ exitCode: 9, signal: null, timedOut: true, text: 'bye\n' });
  });
});
