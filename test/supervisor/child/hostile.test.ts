import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, ChildDriver, TEST_LIMITS } from '../../helpers/child-driver.js';
import { needLevel } from '../../helpers/namespace-here.js';
import { LEVELS } from '../../helpers/namespaces.js';
import { eventually, findTraces, makeMark } from '../../helpers/process-traces.js';
import { runOf } from '../../helpers/scripts.js';

/** Programs that stay: how many marked processes prove that the mischief is under way. */
const STAYING = {
  'plain-children.sh': 4,
  'ignores-sigterm.sh': 2,
  'new-session.sh': 2,
  'double-fork-daemon.sh': 2,
  'stubborn-pipe-holder.sh': 2,
  'stops-itself.sh': 2,
  'slow-bomb.sh': 60,
  'hopper.sh': 1, // its other processes live for a millisecond each: no look is sure to meet one
  'clears-death-signal.sh': 2,
  'nested-namespace.sh': 3,
  'prints-and-sleeps.sh': 2,
  'prints-without-end.sh': 1,
};

/** Programs that end at once and leave somebody behind. */
const LEAVING = [
  'daemon-main-exits.sh',
  'daemon-closed-stdio.sh',
  'pipe-holder.sh',
  'empty-environment-same-session.sh',
];

/** Well above grace and drain, well below the life of a fixture, ms. */
const IN_TIME_MS = TEST_LIMITS.graceMs + 2000;

describe.each(LEVELS)('hostile programs at %s [fence.namespace, fence.portable]', (fence) => {
  let child: ChildDriver;
  beforeEach((context) => needLevel(fence, context));
  beforeAll(async () => {
    child = new ChildDriver({ fence });
    await child.ready();
  });
  afterAll(() => child.dispose());

  it.each(Object.entries(STAYING))(
    '%s: is ended by a cancel, and all that it started [run.cancel]',
    async (name, count) => {
      const mark = makeMark();
      const id = child.request({ ...runOf(name, mark), timeoutMs: 30_000 });
      await child.waitFor('started', (message) => message.id === id);
      await eventually(() => findTraces(mark).length >= count, `${count} processes of ${name}`);
      const start = performance.now();
      child.send({ type: 'cancel', id });
      const answer = await child.answer(id);
      expect(findTraces(mark)).toEqual([]);
      expect(performance.now() - start).toBeLessThan(IN_TIME_MS);
      expect(answer).toMatchObject({ type: 'finished', cancelled: true, timedOut: false, exitCode: null });
    },
  );

  it.each(Object.entries(STAYING))('%s: is ended by its deadline [run.timeout]', async (name) => {
    const mark = makeMark();
    const start = performance.now();
    const answer = await child.run({ ...runOf(name, mark), timeoutMs: 400 });
    expect(findTraces(mark)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(400 + IN_TIME_MS);
    expect(answer).toMatchObject({ timedOut: true, cancelled: false, exitCode: null, timeoutMs: 400 });
  });

  it.each(LEAVING)('%s: leaves nobody behind after a good end [run.nothing-left]', async (name) => {
    const mark = makeMark();
    const start = performance.now();
    const answer = await child.run({ ...runOf(name, mark), timeoutMs: 30_000 });
    expect(findTraces(mark)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(IN_TIME_MS);
    expect(answer).toMatchObject({ exitCode: 0, signal: null, timedOut: false });
    expect(answer).toMatchObject({ survivors: { killed: 1, possible: fence === 'portable' } });
    expect(String(answer.stdout)).toBe(name === 'pipe-holder.sh' ? 'kept\n' : 'done\n');
  });

  it.skipIf(!existsSync('/usr/bin/perl'))('a subreaper that cannot be inspected is ended', async () => {
    const mark = makeMark();
    const id = child.request({ ...runOf('subreaper.pl', mark), timeoutMs: 30_000 });
    await eventually(() => findTraces(mark).length >= 2, 'the child of the subreaper');
    child.send({ type: 'cancel', id });
    expect(await child.answer(id)).toMatchObject({ cancelled: true });
    expect(findTraces(mark)).toEqual([]);
  });

  it('keeps the output of a program that overstays', async () => {
    const answer = await child.run({ ...runOf('prints-and-sleeps.sh', makeMark()), timeoutMs: 500 });
    expect(answer).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
    expect([String(answer.stdout), String(answer.stderr)]).toEqual(['out\n', 'err\n']);
  });

  it('tells SIGKILL when SIGTERM was ignored, and how long it took [run.timeout]', async () => {
    const answer = await child.run({ ...runOf('ignores-sigterm.sh', makeMark()), timeoutMs: 300 });
    expect(answer).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL' });
    expect(durationOf(answer)).toBeGreaterThanOrEqual(300 + TEST_LIMITS.graceMs - 5);
  });

  it('lets a program clean up on SIGTERM and keeps its exit code', async () => {
    const id = child.request({ ...runOf('graceful.sh', makeMark()), timeoutMs: 30_000, tail: true });
    await child.waitFor('tail', (message) => message.id === id && message.line === 'ready');
    child.send({ type: 'cancel', id });
    const answer = await child.answer(id);
    expect(answer).toMatchObject({ exitCode: 9, signal: null, cancelled: true });
    expect(String(answer.stdout)).toBe('ready\nbye\n');
  });

  it('does not wait for a chattering process that it cannot see', async () => {
    const start = performance.now();
    const answer = await child.run({ ...runOf('chatterer.sh', makeMark()), timeoutMs: 30_000 });
    expect(performance.now() - start).toBeLessThan(3000);
    expect(answer).toMatchObject({ exitCode: 0, timedOut: false });
  });

  it('is free for the next run after all that', async () => {
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ exitCode: 0 });
  });
});

describe('a daemon that carries no variable, in a session of its own', () => {
  it('is ended at namespace [fence.namespace]', async () => {
    const child = new ChildDriver({ fence: 'namespace' });
    try {
      await child.ready();
      const mark = makeMark();
      const answer = await child.run(runOf('daemon-empty-environment.sh', mark));
      expect(answer).toMatchObject({ exitCode: 0, survivors: { killed: 1, possible: false } });
      expect(findTraces(mark)).toEqual([]);
    } finally {
      await child.dispose();
    }
  });

  it('may survive at portable, and the result says that it is possible [fence.portable]', async () => {
    const child = new ChildDriver({ fence: 'portable' });
    try {
      await child.ready();
      const mark = makeMark();
      const answer = await child.run(runOf('daemon-empty-environment.sh', mark));
      expect(answer).toMatchObject({ exitCode: 0, survivors: { possible: true } });
      for (const pid of findTraces(mark)) process.kill(pid, 'SIGKILL');
    } finally {
      await child.dispose();
    }
  });
});

function durationOf(answer: Answer): number {
  return answer.type === 'finished' ? answer.durationMs : Number.NaN;
}
