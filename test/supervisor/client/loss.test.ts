import { createHook } from 'node:async_hooks';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RestartPolicy } from '../../../supervisor/client/backoff.js';
import { SupervisorLost } from '../../../supervisor/client/errors.js';
import { TOOL_LIMITS } from '../../../supervisor/client/options.js';
import type { Supervisor } from '../../../supervisor/client/supervisor.js';
import {
  eventually,
  fixtureChild,
  isAlive,
  processesNaming,
  supervisorPid,
  supervisorPids,
  useSupervisors,
} from '../../helpers/supervised.js';

const { make, label } = useSupervisors();
const succeed = { file: '/bin/true', cwd: '/' };

/** Starts a program that outlasts the test and waits until it is there. */
async function holdRun(supervisor: Supervisor, seconds: string) {
  let began = (): void => {};
  const started = new Promise<void>((resolve) => {
    began = resolve;
  });
  const result = supervisor.run({ file: '/bin/sleep', args: [seconds], cwd: '/', onStarted: () => began() });
  result.catch(() => {});
  await started;
  await eventually(() => expect(processesNaming(seconds).length).toBeGreaterThan(0));
  return { result };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(['portable', 'auto'] as const)(
  'a supervisor that is lost during a run (%s) [run.lost]',
  (fence) => {
    it('by kill -9 costs exactly that run; the next one works and nothing of the first is left', async () => {
      const supervisor = make({ fence });
      const seconds = label();
      const { result } = await holdRun(supervisor, seconds);
      process.kill(supervisorPid(), 'SIGKILL');
      await expect(result).rejects.toBeInstanceOf(SupervisorLost);
      await expect(result).rejects.toThrow('it was ended by SIGKILL');
      await expect(supervisor.run(succeed)).resolves.toMatchObject({ exitCode: 0 });
      // The successor ended it before it took the next run.
      expect(processesNaming(seconds)).toEqual([]);
      expect(supervisor.status()).toMatchObject({ state: 'ready', restarts: 1 });
      expect(supervisor.status().lastError).toBe('it was ended by SIGKILL');
    });

    it('by a stop is noticed within 700 ms and replaced', async () => {
      const supervisor = make({ fence });
      const times: number[] = [];
      // The best of three: on a crowded machine our own late ticks excuse the child for a while.
      for (let i = 0; i < 3; i += 1) {
        const seconds = label();
        const { result } = await holdRun(supervisor, seconds);
        const pid = supervisorPid();
        const before = performance.now();
        process.kill(pid, 'SIGSTOP');
        await expect(result).rejects.toThrow('it did not answer 3 pings');
        times.push(performance.now() - before);
        await supervisor.ready();
        expect(isAlive(pid)).toBe(false);
        expect(processesNaming(seconds)).toEqual([]);
      }
      expect(Math.min(...times)).toBeLessThan(700);
    });

    it('and closed at once leaves nothing either', async () => {
      const supervisor = make({ fence });
      const seconds = label();
      const { result } = await holdRun(supervisor, seconds);
      process.kill(supervisorPid(), 'SIGKILL');
      await expect(result).rejects.toBeInstanceOf(SupervisorLost);
      await supervisor.close();
      expect(processesNaming(seconds)).toEqual([]);
      expect(supervisorPids()).toEqual([]);
    });

    it('because it was stopped, while it is being closed, leaves nothing either', async () => {
      const supervisor = make({ fence });
      const seconds = label();
      await holdRun(supervisor, seconds);
      process.kill(supervisorPid(), 'SIGSTOP');
      await supervisor.close({ graceMs: 0 });
      expect(processesNaming(seconds)).toEqual([]);
      expect(supervisorPids()).toEqual([]);
    });
  },
);

describe('a supervisor that is not lost', () => {
  it('although its caller was busy for seconds during the run', async () => {
    const supervisor = make();
    const run = supervisor.run({ file: '/bin/sh', args: ['-c', 'sleep 3; echo done'], cwd: '/' });
    await supervisor.ready();
    const end = performance.now() + 2_500;
    while (performance.now() < end);
    expect((await run).stdout.toString()).toBe('done\n');
    expect(supervisor.status().restarts).toBe(0);
  });
});

describe('a supervisor that is lost', () => {
  it('costs all runs in flight, those that waited for a slot too, and none that was not sent', async () => {
    const supervisor = make({ limits: { ...TOOL_LIMITS, slots: 2 }, fence: 'portable' });
    const seconds = label();
    const sent = [await holdRun(supervisor, seconds), await holdRun(supervisor, seconds)];
    const waiting = supervisor.run(succeed);
    waiting.catch(() => {});
    process.kill(supervisorPid(), 'SIGKILL');
    for (const { result } of sent) await expect(result).rejects.toBeInstanceOf(SupervisorLost);
    await expect(waiting).rejects.toBeInstanceOf(SupervisorLost);
    // Asked for while there was no supervisor: sent to the successor for the first time.
    await expect(supervisor.run(succeed)).resolves.toMatchObject({ exitCode: 0 });
    expect(processesNaming(seconds)).toEqual([]);
  });

  it('while idle is not replaced before it is needed', async () => {
    const supervisor = make();
    await supervisor.ready();
    process.kill(supervisorPid(), 'SIGKILL');
    await eventually(() => expect(supervisor.status()).toMatchObject({ state: 'idle', restarts: 0 }));
    expect(supervisorPids()).toEqual([]);
    await expect(supervisor.run(succeed)).resolves.toMatchObject({ exitCode: 0 });
    expect(supervisor.status().restarts).toBe(1);
  });

  it('while idle and by a stop is noticed as well', async () => {
    const supervisor = make();
    await supervisor.ready();
    const pid = supervisorPid();
    process.kill(pid, 'SIGSTOP');
    await eventually(() => expect(supervisor.status().lastError).toBe('it did not answer 3 pings'));
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  it('hands what was started, by run id and process, to its successor and no further', async () => {
    const supervisor = make({ entry: fixtureChild('counts') });
    const held = supervisor.run({ ...succeed, args: ['hold'] });
    held.catch(() => {});
    await eventually(() => expect(supervisor.status().state).toBe('ready'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const pid = supervisorPid('counts');
    process.kill(pid, 'SIGKILL');
    await expect(held).rejects.toBeInstanceOf(SupervisorLost);
    const orphansOf = async () => JSON.parse((await supervisor.run(succeed)).stdout.toString()).hello.orphans;
    expect(await orphansOf()).toEqual([
      { runId: expect.stringMatching(/^[\w-]{22}$/), leader: { pid, startTime: null } },
    ]);
    process.kill(supervisorPid('counts'), 'SIGKILL');
    await eventually(() => expect(supervisor.status().state).toBe('idle'));
    expect(await orphansOf()).toEqual([]);
  });

  it('twenty times in a row is refused, with the reason and without a process', async () => {
    const supervisor = make({ fence: 'portable' });
    const errors: unknown[] = [];
    for (let kills = 0; kills < 20; kills += 1) {
      const ready = await supervisor.ready().catch((error: unknown) => error);
      if (ready instanceof Error) errors.push(ready);
      for (const pid of supervisorPids()) process.kill(pid, 'SIGKILL');
      await eventually(() => expect(supervisorPids()).toEqual([]));
      await eventually(() => expect(supervisor.status().state).not.toBe('ready'));
    }
    expect(supervisor.status()).toMatchObject({ state: 'refusing', restarts: 4 });
    expect(errors).toHaveLength(15);
    for (const error of errors) {
      expect(error).toMatchObject({ name: 'SupervisorRefusal', code: 'unavailable' });
      expect(error).toHaveProperty(
        'message',
        expect.stringMatching(
          /died too often \(last: it was ended by SIGKILL\); it is tried again in \d\d s/,
        ),
      );
    }
  });
});

it('a supervisor that has to be ended takes its whole group along', async () => {
  const seconds = label();
  const supervisor = make({
    entry: fixtureChild('has-a-helper'),
    env: { PATH: process.env.PATH, TZ: seconds },
  });
  const run = supervisor.run(succeed);
  run.catch(() => {});
  await eventually(() => expect(processesNaming(seconds)).toHaveLength(1));
  const [helper] = processesNaming(seconds);
  await expect(run).rejects.toThrow('it did not answer 3 pings');
  await eventually(() => expect(isAlive(helper?.pid ?? 0)).toBe(false));
  await supervisor.close({ graceMs: 0 });
  // The fixture does not look after its helper when it goes in peace.
  for (const { pid } of processesNaming(seconds)) process.kill(pid, 'SIGKILL');
  await eventually(() => expect(processesNaming(seconds)).toEqual([]));
});

it('a process that holds the pipes of a dead supervisor holds nothing of ours', async () => {
  const seconds = label();
  const supervisor = make({
    entry: fixtureChild('leaves-a-holder'),
    env: { PATH: process.env.PATH, TZ: seconds },
  });
  const before = readdirSync('/proc/self/fd').length;
  await supervisor.ready();
  process.kill(supervisorPid('leaves-a-holder'), 'SIGKILL');
  await eventually(() => expect(supervisor.status().state).toBe('idle'));
  const [holder] = processesNaming(seconds);
  expect(holder).toBeDefined();
  await eventually(() => expect(readdirSync('/proc/self/fd').length).toBe(before));
  // It was there all the time.
  expect(isAlive(holder?.pid ?? 0)).toBe(true);
  process.kill(holder?.pid ?? 0, 'SIGKILL');
  await eventually(() => expect(processesNaming(seconds)).toEqual([]));
});

describe('thirty restarts', () => {
  it('leave no descriptor, timer, process or listener behind', async () => {
    // Without the pauses: what is counted here is what one restart leaves.
    vi.spyOn(RestartPolicy.prototype, 'next').mockImplementation((now) => ({ kind: 'start', at: now }));
    const timers = new Set<number>();
    const hook = createHook({
      init: (id, type) => void (type === 'Timeout' && timers.add(id)),
      destroy: (id) => void timers.delete(id),
    }).enable();
    const supervisor = make({ fence: 'portable' });
    const restart = async () => {
      const run = supervisor.run({ file: '/bin/sleep', args: [label()], cwd: '/' });
      run.catch(() => {});
      await supervisor.ready();
      process.kill(supervisorPid(), 'SIGKILL');
      await expect(run).rejects.toBeInstanceOf(SupervisorLost);
      await supervisor.ready();
    };
    const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const count = async () => {
      // Longer than any pause after which something is let go.
      await new Promise((resolve) => setTimeout(resolve, 700));
      return {
        descriptors: readdirSync('/proc/self/fd').length,
        timers: timers.size,
        listeners: listeners(),
      };
    };
    for (let i = 0; i < 3; i += 1) await restart();
    const before = await count();
    for (let i = 0; i < 30; i += 1) await restart();
    const after = await count();
    hook.disable();
    expect(supervisor.status().restarts).toBe(33);
    expect(supervisorPids()).toHaveLength(1);
    expect(after.descriptors).toBe(before.descriptors);
    expect(after.listeners).toBe(before.listeners);
    // The heartbeat may be between two timers at either moment.
    expect(Math.abs(after.timers - before.timers)).toBeLessThanOrEqual(2);
  }, 60_000);
});
