import { getEventListeners } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SupervisorClosed, SupervisorRefusal } from '../../../supervisor/client/errors.js';
import { TOOL_LIMITS } from '../../../supervisor/client/options.js';
import {
  eventually,
  fixtureChild,
  processesNaming,
  supervisorPids,
  useSupervisors,
} from '../../helpers/supervised.js';

const { make, label } = useSupervisors();
const shell = (script: string) => ({ file: '/bin/sh', args: ['-c', script], cwd: '/' });
const sleepFor = (seconds: string) => ({ file: '/bin/sleep', args: [seconds], cwd: '/' });

/** Resolves once the program of the run has been started. */
function startRun(supervisor: ReturnType<typeof make>, request: Parameters<typeof supervisor.run>[0]) {
  let began = (): void => {};
  const started = new Promise<void>((resolve) => {
    began = resolve;
  });
  const result = supervisor.run({ ...request, onStarted: () => began() });
  // Looked at later by the test; until then it is nobody's unhandled rejection.
  result.catch(() => {});
  return { started, result };
}

describe('one run', () => {
  it('gives back both streams, the exit code and what it saw', async () => {
    const supervisor = make();
    const result = await supervisor.run({
      ...shell('cat; echo err >&2; exit 3'),
      env: { WORD: 'x' },
      stdin: 'in €',
    });
    expect(result.stdout.toString()).toBe('in €');
    expect(result.stderr.toString()).toBe('err\n');
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      cancelled: false,
      totalBytes: { stdout: 6, stderr: 4 },
      env: ['SKILL_MCP_RUN_ID', 'WORD'],
      scriptChanged: false,
    });
    expect(result.runId).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  it('marks its program with an id that no other run has', async () => {
    const supervisor = make();
    const ids = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      const { runId, stdout } = await supervisor.run(shell('printf %s "$SKILL_MCP_RUN_ID"'));
      expect(stdout.toString()).toBe(runId);
      ids.add(runId);
    }
    expect(ids.size).toBe(3);
  });

  it('tells the start once and the last line while it runs', async () => {
    const supervisor = make();
    const told: string[] = [];
    await supervisor.run({
      ...shell('echo one; sleep 1; echo two; sleep 1'),
      onStarted: () => told.push('started'),
      onTail: ({ line }) => told.push(line),
    });
    expect(told[0]).toBe('started');
    expect(told.filter((word) => word === 'started')).toHaveLength(1);
    expect(told).toContain('one');
  });

  it('goes on when a callback of its caller throws', async () => {
    const lines: string[] = [];
    const supervisor = make({ onLog: (line) => lines.push(line) });
    const thrower = () => {
      throw new Error('a secret of the caller');
    };
    const run = supervisor.run({ ...shell('echo x; sleep 1'), onStarted: thrower, onTail: thrower });
    await expect(run).resolves.toMatchObject({ exitCode: 0 });
    expect(lines.join('\n')).toContain('a callback of a run threw');
    expect(lines.join('\n')).not.toContain('secret');
  });

  it('survives a log that throws', async () => {
    const supervisor = make({
      onLog: () => {
        throw new Error('disk full');
      },
    });
    await expect(supervisor.run(shell('exit 0'))).resolves.toMatchObject({ exitCode: 0 });
  });

  it('brings a result of the largest size back whole', async () => {
    const supervisor = make();
    const half = 1024 * 1024;
    const fill = (letter: string) => `head -c ${half} /dev/zero | tr '\\0' ${letter}`;
    const result = await supervisor.run(shell(`${fill('a')}; { ${fill('b')}; } >&2`));
    expect(result.stdout.equals(Buffer.alloc(half, 'a'))).toBe(true);
    expect(result.stderr.equals(Buffer.alloc(half, 'b'))).toBe(true);
    expect(result.truncated).toEqual({ stdout: false, stderr: false });
  });

  it('takes stdin of the largest size', async () => {
    const supervisor = make();
    const result = await supervisor.run({ ...shell('wc -c'), stdin: Buffer.alloc(1024 * 1024) });
    expect(result.stdout.toString().trim()).toBe('1048576');
  });

  it('takes and gives what a tool may: 16 MiB in, 32 MiB a stream out', async () => {
    const supervisor = make({ limits: TOOL_LIMITS, fence: 'portable' });
    const stdin = Buffer.alloc(16 * 1024 * 1024, 'z');
    const both = 'head -c 33554432 /dev/zero; head -c 33554432 /dev/zero >&2';
    const [copy, large] = await Promise.all([
      supervisor.run({ ...shell('cat'), stdin }),
      supervisor.run(shell(both)),
    ]);
    expect(copy.stdout.equals(stdin)).toBe(true);
    expect(large.totalBytes).toEqual({ stdout: 33_554_432, stderr: 33_554_432 });
    expect(large.stdout.byteLength + large.stderr.byteLength).toBe(2 * 33_554_432);
    expect(supervisor.status().restarts).toBe(0);
  });

  it('that cannot be sent is refused at once and starts nothing', async () => {
    const supervisor = make();
    const run = supervisor.run({ ...shell('exit 0'), stdin: Buffer.alloc(1024 * 1024 + 1) });
    await expect(run).rejects.toMatchObject({ name: 'SupervisorRefusal', code: 'invalid' });
    expect(supervisor.status()).toEqual({ state: 'idle', restarts: 0 });
    expect(supervisorPids()).toEqual([]);
  });

  it('of a program that is not there is refused as such', async () => {
    const supervisor = make();
    const run = supervisor.run({ file: '/nowhere/program', cwd: '/' });
    await expect(run).rejects.toBeInstanceOf(SupervisorRefusal);
    await expect(supervisor.run(shell('exit 0'))).resolves.toMatchObject({ exitCode: 0 });
  });
});

describe('giving a run up', () => {
  it('before it was asked for: nothing is started, the reason comes back', async () => {
    const supervisor = make();
    const reason = new Error('never mind');
    const run = supervisor.run({ ...shell('exit 0'), signal: AbortSignal.abort(reason) });
    await expect(run).rejects.toBe(reason);
    expect(supervisor.status().state).toBe('idle');
  });

  it('while the supervisor starts: nothing is sent, the reason comes back at once', async () => {
    const supervisor = make({ entry: fixtureChild('never-ready') });
    const abort = new AbortController();
    const run = supervisor.run({ ...shell('exit 0'), signal: abort.signal });
    abort.abort('changed my mind');
    await expect(run).rejects.toBe('changed my mind');
  });

  it('while it runs: it is ended and the result says so', async () => {
    const supervisor = make();
    const seconds = label();
    const abort = new AbortController();
    const { started, result } = startRun(supervisor, { ...sleepFor(seconds), signal: abort.signal });
    await started;
    abort.abort();
    await expect(result).resolves.toMatchObject({ cancelled: true, exitCode: null });
    expect(processesNaming(seconds)).toEqual([]);
  });

  it('while it waits for a slot: it never starts, the reason comes back', async () => {
    const supervisor = make({ limits: { ...TOOL_LIMITS, slots: 1 }, fence: 'portable' });
    const first = startRun(supervisor, sleepFor(label()));
    await first.started;
    const abort = new AbortController();
    const second = startRun(supervisor, { ...sleepFor(label()), signal: abort.signal });
    abort.abort('too slow');
    await expect(second.result).rejects.toBe('too slow');
  });

  it('leaves no listener on a signal that outlives the run', async () => {
    const supervisor = make();
    const { signal } = new AbortController();
    for (const script of ['exit 0', 'exit 1']) await supervisor.run({ ...shell(script), signal });
    await expect(supervisor.run({ ...shell('exit 0'), file: '/nowhere', signal })).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('when it is over already changes nothing', async () => {
    const supervisor = make();
    const abort = new AbortController();
    await expect(supervisor.run({ ...shell('exit 0'), signal: abort.signal })).resolves.toMatchObject({
      cancelled: false,
    });
    abort.abort();
    await expect(supervisor.run(shell('exit 0'))).resolves.toMatchObject({ exitCode: 0 });
  });
});

describe('slots', () => {
  it('one for scripts: a second run is refused while one is in flight', async () => {
    const supervisor = make();
    await supervisor.ready();
    const both = await Promise.allSettled([
      supervisor.run(shell('sleep 0.3')),
      supervisor.run(shell('exit 0')),
    ]);
    expect(both[0]).toMatchObject({ status: 'fulfilled' });
    expect(both[1]).toMatchObject({ status: 'rejected', reason: { code: 'busy' } });
    await expect(supervisor.run(shell('exit 0'))).resolves.toMatchObject({ exitCode: 0 });
  });

  it('eight for tools: further runs wait in the order in which they came', async () => {
    const supervisor = make({ limits: TOOL_LIMITS, fence: 'portable' });
    const order: number[] = [];
    const runs = Array.from({ length: 12 }, (_, index) =>
      supervisor.run({ ...shell('sleep 0.2'), onStarted: () => order.push(index) }),
    );
    await expect(Promise.all(runs)).resolves.toHaveLength(12);
    expect(order).toHaveLength(12);
    expect(Math.max(...order.slice(0, 8))).toBe(7);
    expect(order.slice(8).toSorted()).toEqual([10, 11, 8, 9]);
  });
});

describe('the state of the supervisor', () => {
  it('is idle until the first need, and then tells the fence', async () => {
    const supervisor = make({ fence: 'portable' });
    expect(supervisor.status()).toEqual({ state: 'idle', restarts: 0 });
    const ready = supervisor.ready();
    expect(supervisor.status().state).toBe('starting');
    const fence = await ready;
    expect(fence).toMatchObject({ level: 'portable', network: 'host' });
    expect(supervisor.status()).toEqual({ state: 'ready', restarts: 0, fence });
  });

  it('starts one process however many ask for it at once', async () => {
    const supervisor = make();
    await Promise.all([supervisor.ready(), supervisor.ready(), supervisor.ready()]);
    expect(supervisorPids()).toHaveLength(1);
  });

  it('gives the supervisor five variables at most and nothing of its caller', async () => {
    const supervisor = make({
      entry: fixtureChild('counts'),
      env: { PATH: process.env.PATH, TZ: 'UTC', TOKEN: 'hunter2' },
    });
    const { stdout } = await supervisor.run(shell('exit 0'));
    const told = JSON.parse(stdout.toString());
    const own = new Set(['PATH', 'TZ']);
    expect(told.env.filter((name: string) => !own.has(name))).toEqual([]);
    expect(told.env).toContain('TZ');
  });

  it('finds its fence where there is no PATH at all', async () => {
    const supervisor = make({ fence: 'auto', env: {} });
    const fence = await supervisor.ready();
    expect(fence.refusal).toBeUndefined();
    await expect(supervisor.run(shell('exit 0'))).resolves.toMatchObject({ exitCode: 0, fence });
  });

  it('is told as a programmer’s mistake when the limits are none', () => {
    expect(() => make({ limits: { slots: 0 } })).toThrow(/slots/);
  });
});

describe('two supervisors in one process', () => {
  it('are two processes, and one may close without the other', async () => {
    const [scripts, tools] = [make(), make({ limits: TOOL_LIMITS, fence: 'portable' })];
    const held = startRun(scripts, shell('sleep 0.5; echo done'));
    await Promise.all([held.started, tools.ready()]);
    expect(supervisorPids()).toHaveLength(2);
    await tools.close();
    expect(supervisorPids()).toHaveLength(1);
    expect((await held.result).stdout.toString()).toBe('done\n');
    await expect(tools.run(shell('exit 0'))).rejects.toBeInstanceOf(SupervisorClosed);
    await expect(scripts.run(shell('exit 0'))).resolves.toMatchObject({ exitCode: 0 });
  });
});

describe('closing', () => {
  it('starts nothing when nothing was started, and refuses whatever comes later', async () => {
    const supervisor = make();
    await supervisor.close();
    await supervisor.close();
    await expect(supervisor.ready()).rejects.toBeInstanceOf(SupervisorClosed);
    await expect(supervisor.run(shell('exit 0'))).rejects.toBeInstanceOf(SupervisorClosed);
    expect(supervisorPids()).toEqual([]);
  });

  it.each(['portable', 'auto'] as const)('during a run ends it and leaves nothing (%s)', async (fence) => {
    const supervisor = make({ fence });
    const seconds = label();
    const { started, result } = startRun(supervisor, shell(`sleep ${seconds} & sleep ${seconds}`));
    await started;
    await eventually(() => expect(processesNaming(seconds).length).toBeGreaterThan(1));
    await supervisor.close({ graceMs: 100 });
    await expect(result).rejects.toBeInstanceOf(SupervisorClosed);
    expect(processesNaming(seconds)).toEqual([]);
    expect(supervisorPids()).toEqual([]);
  });

  it('during a start fails whoever waits and leaves nothing', async () => {
    const supervisor = make();
    const waiters = [supervisor.ready(), supervisor.run(shell('exit 0'))];
    const closed = supervisor.close();
    for (const waiter of waiters) await expect(waiter).rejects.toBeInstanceOf(SupervisorClosed);
    await closed;
    expect(supervisorPids()).toEqual([]);
  });

  it('ends a run that ignores SIGTERM after the grace that was given', async () => {
    const supervisor = make({ fence: 'portable' });
    const seconds = label();
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'close-')));
    const script = path.join(directory, 'stubborn.sh');
    await writeFile(script, `trap '' TERM\nwhile :; do sleep ${seconds}; done\n`);
    const { started } = startRun(supervisor, { file: '/bin/sh', args: [script], cwd: directory });
    await started;
    await supervisor.close({ graceMs: 200 });
    expect(processesNaming(script)).toEqual([]);
    expect(processesNaming(seconds)).toEqual([]);
    await rm(directory, { recursive: true });
  });
});
