import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { StarvationWatch } from '../../../supervisor/client/starvation.js';

const children: ChildProcess[] = [];

/** A process on the first processor; `loop` never stops asking for it. */
function start(program: string, niceness = 0): ChildProcess {
  const args = ['-c', '0', 'nice', '-n', String(niceness), '/bin/sh', '-c', program];
  const child = spawn('taskset', args, { stdio: 'ignore' });
  children.push(child);
  return child;
}

const LOOP = 'while :; do :; done';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function watchFor(child: ChildProcess, ms: number): Promise<boolean> {
  const watch = new StarvationWatch(child.pid);
  watch.begin();
  await wait(ms);
  return watch.isStarving();
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe.runIf(process.platform === 'linux')('a child is starving', () => {
  it('when it wants the processor and others have it', async () => {
    for (let i = 0; i < 3; i += 1) start(LOOP);
    const child = start(LOOP, 19);
    await wait(300);
    // It may be seen in one of its few moments; what matters is what is true most of the time.
    const seen = [await watchFor(child, 500), await watchFor(child, 500), await watchFor(child, 500)];
    expect(seen).toContain(true);
  });

  it('not when it sleeps or is stopped', async () => {
    expect(await watchFor(start('sleep 20'), 300)).toBe(false);
    const stopped = start(LOOP);
    await wait(100);
    stopped.kill('SIGSTOP');
    await wait(50);
    expect(await watchFor(stopped, 300)).toBe(false);
  });

  it('not when it is gone or never was', async () => {
    const child = start('exit 0');
    await wait(300);
    expect(await watchFor(child, 10)).toBe(false);
    expect(new StarvationWatch(undefined).isStarving()).toBe(false);
  });
});
