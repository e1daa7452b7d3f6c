import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SupervisorClosed, SupervisorLost, SupervisorRefusal } from '../../../supervisor/client/errors.js';
import {
  fixtureChild,
  isAlive,
  supervisorPid,
  supervisorPids,
  useSupervisors,
} from '../../helpers/supervised.js';

const { make } = useSupervisors();
const request = { file: '/bin/true', cwd: '/' };

const rejection = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    (value) => {
      throw new Error(`not rejected: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );

describe('a child that breaks the contract is ended, and its run is lost with the reason', () => {
  it.each([
    ['garbage', /protocol fault: a header of 1213486160 bytes/],
    ['not-json', /protocol fault: a header that is not JSON/],
    ['oversize-header', /protocol fault: a header of 4294967280 bytes, at most 1048576/],
    ['oversize-body', /protocol fault: a body of 4294967295 bytes, at most 2097152/],
    ['foreign-incarnation', /protocol fault: a message of another incarnation/],
    ['wrong-version', /protocol fault: a message against the contract \(v: /],
    ['unknown-type', /protocol fault: a message against the contract \(type: /],
    ['half-frame', /it exited with code 0, its channel ended within a message/],
    ['closes-channel', /it closed its channel/],
    ['never-pongs', /it did not answer 3 pings/],
  ])('%s', async (name, reason) => {
    const supervisor = make({ entry: fixtureChild(name) });
    await supervisor.ready();
    const pid = supervisorPid(name);
    const error = await rejection(supervisor.run(request));
    expect(error).toBeInstanceOf(SupervisorLost);
    expect(error).toHaveProperty('message', expect.stringMatching(reason));
    expect(error).toHaveProperty('message', expect.stringContaining('is unknown and it is not retried'));
    expect(supervisor.status().lastError).toMatch(reason);
    // A successor comes without being asked, to end what the run may have left.
    await expect
      .poll(() => supervisor.status(), { timeout: 10_000 })
      .toMatchObject({ state: 'ready', restarts: 1 });
    expect(isAlive(pid)).toBe(false);
    expect(supervisorPids(name)).toHaveLength(1);
  });

  it('a second answer to a run costs the child but not the run', async () => {
    const supervisor = make({ entry: fixtureChild('answers-twice') });
    await expect(supervisor.run(request)).resolves.toMatchObject({ exitCode: 0 });
    await expect
      .poll(() => supervisor.status().lastError, { timeout: 10_000 })
      .toContain('finished for a run that is not in flight');
  });
});

describe('a child that comes up late or not at all', () => {
  it('is given its time, ended, and named as the reason', async () => {
    const supervisor = make({ entry: fixtureChild('never-ready'), startTimeoutMs: 400 });
    const error = await rejection(supervisor.run(request));
    expect(error).toBeInstanceOf(SupervisorRefusal);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error).toHaveProperty('message', expect.stringContaining('it was not ready within 0.4 s'));
  });

  it('is not ended when its time is over but it was ready', async () => {
    const supervisor = make({ entry: fixtureChild('counts'), startTimeoutMs: 2_000 });
    await supervisor.ready();
    const pid = supervisorPid('counts');
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect(supervisor.status()).toMatchObject({ state: 'ready', restarts: 0 });
    expect(isAlive(pid)).toBe(true);
  });

  it('leaves whoever waits a shorter time with a refusal, while the start goes on', async () => {
    const supervisor = make({ entry: fixtureChild('counts') });
    await expect(supervisor.ready(1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(supervisor.status().state).toBe('starting');
    await expect.poll(() => supervisor.status().state, { timeout: 10_000 }).toBe('ready');
    await expect(supervisor.ready(0)).resolves.toEqual({ level: 'portable', network: 'host' });
  });

  it('is tried five times, then refused with the last reason and the time of the next try', async () => {
    const lines: string[] = [];
    const supervisor = make({ entry: fixtureChild('exits-at-once'), onLog: (line) => lines.push(line) });
    const error = await rejection(supervisor.run(request));
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error).toHaveProperty('message', expect.stringContaining('exited with code 3 (no such luck)'));
    expect(error).toHaveProperty('message', expect.stringMatching(/tried again in \d\d s/));
    expect(supervisor.status()).toMatchObject({ state: 'refusing', restarts: 4 });
    expect(lines.filter((line) => line.includes('starting'))).toHaveLength(5);
    // At once now, and without another start.
    await expect(supervisor.ready()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(supervisor.run(request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(supervisor.status().restarts).toBe(4);
  });

  it('because there is no such program: the same, with what node says', async () => {
    const supervisor = make({ entry: '/nowhere/child.js', startTimeoutMs: 5_000 });
    const error = await rejection(supervisor.run(request));
    expect(error).toHaveProperty('message', expect.stringContaining('Cannot find module'));
  });
});

describe('the last words of a child', () => {
  it('a result of the largest size arrives whole although the child is gone when it has left', async () => {
    const supervisor = make({ entry: fixtureChild('big-result-then-exit') });
    const result = await supervisor.run(request);
    expect(result.stdout.equals(Buffer.alloc(1024 * 1024, 'a'))).toBe(true);
    expect(result.stderr.equals(Buffer.alloc(1024 * 1024, 'b'))).toBe(true);
  });
});

describe('closing', () => {
  it('does not wait for a child that will not go', async () => {
    const supervisor = make({ entry: fixtureChild('ignores-bye') });
    await supervisor.ready();
    const pid = supervisorPid('ignores-bye');
    const run = rejection(supervisor.run(request));
    const before = performance.now();
    await supervisor.close({ graceMs: 0 });
    expect(await run).toBeInstanceOf(SupervisorClosed);
    expect(isAlive(pid)).toBe(false);
    expect(supervisorPids()).toEqual([]);
    expect(performance.now() - before).toBeGreaterThan(900);
  });
});

describe('whatever a child answers, in whatever order', () => {
  const finished = { send: 'finished' };
  const refused = { send: { type: 'refused', code: 'busy', message: 'no' } };
  const step = fc.oneof(
    fc.constantFrom<object>(
      finished,
      { ...finished, id: 0 },
      { ...finished, id: 99 },
      { send: { type: 'started', leader: { pid: 1, startTime: null } } },
      { send: { type: 'tail', line: 'x', stdoutBytes: 1, stderrBytes: 0 } },
      { send: { type: 'tail', line: 'x', stdoutBytes: 1, stderrBytes: 0 }, id: 99 },
      refused,
      { send: { type: 'pong', n: 1 } },
      { send: { type: 'pong', n: 77 } },
      { send: { type: 'ready', pid: 1, fence: { level: 'portable', network: 'host' } } },
      { wait: 5 },
      { exit: 0 },
      { exit: 1 },
    ),
    fc
      .uint8Array({ minLength: 1, maxLength: 20 })
      .map((bytes) => ({ raw: Buffer.from(bytes).toString('base64') })),
  );

  it('the run settles exactly once, and the next one does too', async () => {
    const unexpected: unknown[] = [];
    const note = (error: unknown) => unexpected.push(error);
    process.on('unhandledRejection', note);
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const supervisor = make({ entry: fixtureChild('obedient'), fence: 'portable' });
        let settled = 0;
        let begun = 0;
        // The child always falls silent or ends: an end makes sure of a settlement.
        const args = [...steps, { wait: 5 }, { exit: 0 }].map((each) => JSON.stringify(each));
        const onStarted = () => {
          begun += 1;
        };
        const outcome = await supervisor.run({ ...request, args, onStarted }).then(
          () => 'finished',
          (error: unknown) => (error instanceof Error ? error.name : String(error)),
        );
        settled += 1;
        outcomes.add(outcome);
        expect(begun).toBeLessThanOrEqual(1);
        expect(['finished', 'SupervisorLost', 'SupervisorRefusal']).toContain(outcome);
        // Each of these children ends or is ended; a run that met its end would be lost with it.
        await expect.poll(() => supervisor.status().lastError, { timeout: 10_000 }).toBeDefined();
        const next = supervisor.run({ ...request, args: [JSON.stringify(finished)] });
        await expect(next).resolves.toMatchObject({ exitCode: 0 });
        expect(settled).toBe(1);
        await supervisor.close({ graceMs: 0 });
      }),
      // One of each kind of outcome for certain, the rest as it comes.
      { numRuns: 40, examples: [[[finished]], [[{ exit: 1 }]], [[refused]]] },
    );
    expect([...outcomes].sort()).toEqual(['SupervisorLost', 'SupervisorRefusal', 'finished'].sort());
    process.off('unhandledRejection', note);
    expect(unexpected).toEqual([]);
  }, 120_000);
});
