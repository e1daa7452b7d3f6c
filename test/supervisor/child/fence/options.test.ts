import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FenceOptions } from '../../../../supervisor/protocol.js';
import { ChildDriver, type DriverOptions, type Level } from '../../../helpers/child-driver.js';
import { LEVELS } from '../../../helpers/namespaces.js';
import { eventually, findTraces, makeMark } from '../../../helpers/process-traces.js';
import { runOf, SCRIPT_ENV } from '../../../helpers/scripts.js';

const PROJECT = { readable: [process.cwd()], writable: [] };
const MIB = 1024 * 1024;
const isRoot = process.geteuid?.() === 0;

const children: ChildDriver[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await child.dispose();
});

async function start(fence: Level, options: Partial<FenceOptions>, more: DriverOptions = {}) {
  const child = new ChildDriver({
    ...more,
    fence,
    hello: { ...more.hello, fenceOptions: { ...PROJECT, ...options } },
  });
  children.push(child);
  return { child, fence: (await child.ready()).fence };
}

const shell = (line: string) => ({ file: '/bin/sh', args: ['-c', line], cwd: '/', env: SCRIPT_ENV });

describe.each(LEVELS)('limits at %s [fence.limits]', (level) => {
  it('hold for the program and are reported', async () => {
    const { child, fence } = await start(level, {
      limits: { data: 700 * MIB, nofile: 256, fsize: 64 * 1024, cpu: 60 },
    });
    expect(fence).toMatchObject({ level, hardening: ['limits'] });
    expect(fence.refusal).toBeUndefined();
    const answer = await child.run(shell('ulimit -d; ulimit -n; ulimit -f; ulimit -t; env | sort'));
    expect(answer).toMatchObject({ fence: { hardening: ['limits'] } });
    expect(String(answer.stdout)).toMatch(
      /^716800\n256\n128\n60\nPATH=.*\n(PWD=\/\n)?SKILL_MCP_RUN_ID=.*\n$/,
    );
  });

  it('end a program that uses up its processor time', async () => {
    const { child } = await start(level, { limits: { cpu: 1 } });
    const answer = await child.run(shell('while :; do :; done'));
    expect(answer).toMatchObject({ exitCode: null, timedOut: false });
    expect(answer).toMatchObject({ signal: expect.stringMatching(/^SIG(KILL|XCPU)$/) });
  });

  it('under which Node cannot start refuse every run with that reason', async () => {
    const { child, fence } = await start(level, { limits: { data: MIB } });
    expect(fence.refusal).toMatch(/node cannot start .* data=1048576: /);
    expect(fence.hardening).toBeUndefined();
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ code: 'fence-unavailable' });
  });
});

it.each<[string, Partial<FenceOptions>, RegExp]>([
  [
    'processes of a user that is not the runs’ own',
    { limits: { nproc: 50 } },
    /needs a user of the runs alone/,
  ],
  ['memory of a control group that is not there', { limits: { memory: MIB } }, /they need one/],
  ['a control group that is none', { cgroup: '/tmp' }, /no control group/],
])('%s: every run is refused [fence.options]', async (_, options, reason) => {
  const { child, fence } = await start('portable', options);
  expect(fence.refusal).toMatch(reason);
  expect(await child.run({ file: '/bin/true' })).toMatchObject({ code: 'fence-unavailable' });
});

/** A user that nothing runs as on any machine. */
const runAs = { uid: 61_234, gid: 61_235 };

describe.runIf(isRoot).each(LEVELS)('a user of its own at %s (needs root) [fence.run-as]', (level) => {
  it('runs the program, without further groups and without a way back', async () => {
    const { child, fence } = await start(level, { runAs });
    expect(fence).toMatchObject({ level, hardening: ['run-as'] });
    const answer = await child.run(
      shell('id -u; id -g; id -G; grep -E "^(CapEff|NoNewPrivs)" /proc/self/status'),
    );
    expect(String(answer.stdout)).toMatch(/^61234\n61235\n61235\nCapEff:\s+0{16}\nNoNewPrivs:\s+1\n$/);
  });

  it.each(['daemon-closed-stdio.sh', 'daemon-empty-environment.sh', 'clears-death-signal.sh'])(
    'leaves nothing of %s',
    async (name) => {
      const { child } = await start(level, { runAs });
      const mark = makeMark();
      const answer = await child.run({ ...runOf(name, mark), cwd: '/', timeoutMs: 700 });
      expect(answer).toMatchObject({ type: 'finished', survivors: { possible: false } });
      expect(findTraces(mark)).toEqual([]);
    },
  );
});

describe.runIf(isRoot)('a user of its own (needs root) [fence.run-as]', () => {
  it('is refused when it runs something else, which a run’s end would end', async () => {
    const { child } = await start('portable', { runAs });
    const mark = makeMark();
    const id = child.request({ ...runOf('prints-and-sleeps.sh', mark), cwd: '/' });
    await child.waitFor('started', (message) => message.id === id);
    const other = await start('portable', { runAs });
    expect(other.fence.refusal).toMatch(/runs other processes/);
    child.send({ type: 'cancel', id });
    await child.answer(id);
  });

  it('serves one program at a time', async () => {
    const { fence } = await start('portable', { runAs }, { limits: { slots: 2 } });
    expect(fence.refusal).toMatch(/one program at a time/);
  });

  it('bounds the number of processes', async () => {
    const { child, fence } = await start('portable', { runAs, limits: { nproc: 30 } });
    expect(fence.refusal).toBeUndefined();
    const answer = await child.run(shell('for i in $(seq 60); do sleep 1 & done; wait'));
    expect(String(answer.stderr)).toMatch(/[Cc]annot fork/);
  });

  it('is emptied by a successor', async () => {
    const { child } = await start('portable', { runAs });
    const mark = makeMark();
    const id = child.request({
      ...runOf('daemon-empty-environment.sh', mark),
      cwd: '/',
      runId: 'run-of-the-dead',
    });
    await child.waitFor('started', (message) => message.id === id);
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    const orphans = [{ runId: 'run-of-the-dead' }];
    const { fence } = await start('portable', { runAs }, { hello: { orphans } });
    expect(fence.refusal).toBeUndefined();
    expect(findTraces(mark)).toEqual([]);
  });
});

it.skipIf(isRoot)('a user of its own is refused to an ordinary user [fence.run-as]', async () => {
  const { fence } = await start('portable', { runAs });
  expect(fence.refusal).toMatch(/only root/);
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skill-mcp-options-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tries what the model takes away, and says how each attempt went. */
const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs');
const tell = (what, act) => {
  try { act(); console.log(what + ' ok'); } catch (error) { console.log(what + ' ' + error.code); }
};
tell('own', () => readFileSync(__filename));
tell('granted', () => readFileSync('/usr/share/dict/../../lib/os-release'));
tell('foreign', () => readFileSync('/etc/hosts'));
tell('write', () => writeFileSync(__dirname + '/new', 'x'));
tell('child', () => require('node:child_process').spawnSync('/bin/true'));
tell('worker', () => new (require('node:worker_threads').Worker)('0', { eval: true }));
`;

describe.each(LEVELS)('Node’s permission model at %s [fence.node-permission]', (level) => {
  const path = join(folder, 'probe.js');
  writeFileSync(path, PROBE);
  const { dev, ino } = statSync(path, { bigint: true });
  const script = {
    ...{ path, root: folder, dev: String(dev), ino: String(ino) },
    sha256: createHash('sha256').update(PROBE).digest('hex'),
  };

  it('leaves a pinned script its own folder and the granted ones', async () => {
    const { child, fence } = await start(level, { nodePermission: true, readable: ['/usr/lib'] });
    expect(fence).toMatchObject({ level, hardening: ['node-permission'] });
    const answer = await child.run({ file: process.execPath, args: [path], cwd: folder, script });
    expect(answer).toMatchObject({ exitCode: 0, fence: { hardening: ['node-permission'] } });
    const denied = 'ERR_ACCESS_DENIED';
    expect(String(answer.stdout)).toBe(
      `own ok\ngranted ok\nforeign ${denied}\nwrite ${denied}\nchild ${denied}\nworker ${denied}\n`,
    );
    expect(String(answer.stderr)).toBe('');
  });

  it('is not claimed for a program that is not a script of this Node', async () => {
    const { child } = await start(level, { nodePermission: true });
    const answer = await child.run({ file: '/bin/true', cwd: '/' });
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(answer).not.toHaveProperty('fence.hardening');
  });
});

/** A control group of the test's own, where this machine has a writable tree of version 2. */
function makeGroup(): string | undefined {
  for (const top of ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']) {
    try {
      if (statfsSync(top).type !== 0x63677270) continue;
      const group = `${top}/skill-mcp-test-${process.pid}`;
      mkdirSync(group);
      writeFileSync(`${group}/cgroup.max.depth`, '2');
      return group;
    } catch {
      // not writable here
    }
  }
  return undefined;
}

const group = makeGroup();
if (group === undefined)
  console.warn('tests of control groups are skipped: no writable cgroup of version 2 here');

describe.runIf(group !== undefined)('a control group [fence.cgroup]', () => {
  describe.each(LEVELS)('at %s', (level) => {
    const cgroup = group ?? '';
    const groups = () => readdirSync(cgroup).filter((name) => name.startsWith('run-'));

    it.each(['daemon-empty-environment.sh', 'double-fork-daemon.sh', 'slow-bomb.sh', 'hopper.sh'])(
      'leaves nothing of %s, not even the group',
      async (name) => {
        const { child, fence } = await start(level, { cgroup });
        expect(fence).toMatchObject({ level, hardening: ['cgroup'] });
        const mark = makeMark();
        const answer = await child.run({ ...runOf(name, mark), cwd: '/', timeoutMs: 500 });
        expect(answer).toMatchObject({ type: 'finished', survivors: { possible: false } });
        expect(findTraces(mark)).toEqual([]);
        expect(groups()).toEqual([]);
      },
    );

    it('that cannot be made refuses the run, and the supervisor lives on', async () => {
      const { child } = await start(level, { cgroup });
      mkdirSync(join(cgroup, 'run-made-before'));
      const run = { file: '/bin/true', cwd: '/', runId: 'made-before' };
      expect(await child.run(run)).toMatchObject({
        code: 'spawn-failed',
        message: expect.stringMatching(/control group.*EEXIST/),
      });
      expect(groups()).toEqual([]);
      expect(await child.run(run)).toMatchObject({ exitCode: 0 });
    });

    it('of a dead predecessor is ended and removed', async () => {
      const { child } = await start(level, { cgroup });
      const mark = makeMark();
      const id = child.request({ ...runOf('new-session.sh', mark), cwd: '/', runId: 'run-of-the-dead' });
      await child.waitFor('started', (message) => message.id === id);
      await eventually(() => groups().length === 1, 'the group is there');
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
      await start(level, { cgroup }, { hello: { orphans: [{ runId: 'run-of-the-dead' }] } });
      expect(findTraces(mark)).toEqual([]);
      expect(groups()).toEqual([]);
    });
  });
});

describe.runIf(group !== undefined)('the control group of the tests', () => {
  it('is empty at the end', () => {
    expect(readdirSync(group ?? '').filter((name) => name.startsWith('run-'))).toEqual([]);
    rmdirSync(group ?? '');
  });
});
