import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../supervisor/child/exit-code.js';
import { startCommand } from '../../../supervisor/start-command.js';
import {
  CHILD_ENTRY,
  ChildDriver,
  type DriverOptions,
  frameOf,
  SANDBOX_GRANTS,
  TEST_LIMITS,
} from '../../helpers/child-driver.js';
import { needLevel } from '../../helpers/namespace-here.js';
import { LEVELS } from '../../helpers/namespaces.js';
import { eventually, findTraces, isGone, makeMark } from '../../helpers/process-traces.js';
import { runOf } from '../../helpers/scripts.js';

/** Two of the worst: one that a signal to the group does not reach, one that no parent's death reaches. */
const VICTIMS = ['stubborn-pipe-holder.sh', 'clears-death-signal.sh', 'ignores-sigterm.sh'];

const children: ChildDriver[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await child.dispose();
});

async function start(options: DriverOptions): Promise<ChildDriver> {
  const child = new ChildDriver(options);
  children.push(child);
  await child.ready();
  return child;
}

async function startVictim(child: ChildDriver, name: string) {
  const mark = makeMark();
  const runId = `run-${randomUUID()}`;
  const id = child.request({ ...runOf(name, mark), runId });
  const started = await child.waitFor('started', (message) => message.id === id);
  await eventually(() => findTraces(mark).length >= 2, 'the program runs');
  return { mark, runId, started, id };
}

describe.each(LEVELS)('at %s', (fence) => {
  it.each(VICTIMS)('the channel closes: %s is ended, then the child exits', async (name) => {
    const child = await start({ fence });
    const { mark } = await startVictim(child, name);
    child.socket.destroy();
    expect(await child.exited).toEqual({ code: EXIT.frontLost, signal: null });
    expect(findTraces(mark)).toEqual([]);
  });

  it('the channel closes with nothing to do: the child exits', async () => {
    const child = await start({ fence });
    child.socket.destroy();
    expect(await child.exited).toEqual({ code: EXIT.frontLost, signal: null });
  });

  it('a SIGTERM to the child: the run is ended and told, then the child exits', async () => {
    const child = await start({ fence });
    const { mark, id } = await startVictim(child, 'ignores-sigterm.sh');
    process.kill(child.pid, 'SIGTERM');
    expect(await child.answer(id)).toMatchObject({ cancelled: true });
    expect(await child.exited).toEqual({ code: EXIT.done, signal: null });
    expect(findTraces(mark)).toEqual([]);
  });

  it.for(VICTIMS)(
    'its parent is killed: %s ends all the same [fence.server-killed]',
    async (name, context) => {
      needLevel(fence, context);
      const mark = makeMark();
      const front = fileURLToPath(new URL('../../fixtures/scripts/starts-supervisor.mjs', import.meta.url));
      const entry = process.env.SKILL_MCP_TEST_CHILD ?? CHILD_ENTRY;
      const envelope = { v: 1, incarnation: 'only' };
      const grants = fence === 'sandbox' ? { fenceOptions: SANDBOX_GRANTS } : {};
      const hello = { ...envelope, type: 'hello', limits: TEST_LIMITS, fence, orphans: [], ...grants };
      const run = {
        ...envelope,
        type: 'run',
        id: 1,
        runId: `run-${randomUUID()}`,
        cwd: '/tmp',
        timeoutMs: 30_000,
      };
      const frames = Buffer.concat([
        frameOf(hello),
        frameOf({ ...run, tail: false, stdin: false, ...runOf(name, mark) }),
      ]);
      const command = startCommand({ node: process.execPath, entry, fence });
      const parent = spawn(process.execPath, [front, JSON.stringify(command), frames.toString('base64')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said = await new Promise<string>((resolve) =>
        parent.stdout.once('data', (data) => resolve(String(data))),
      );
      const supervisor = Number(said);
      await eventually(() => findTraces(mark).length >= 2, 'the program runs');
      parent.kill('SIGKILL');
      await eventually(() => isGone(supervisor) && findTraces(mark).length === 0, 'all are gone', 4000);
    },
  );
});

describe('the child itself is killed', () => {
  const contained = LEVELS.filter((level) => level !== 'portable').flatMap((level) =>
    VICTIMS.map((name) => [level, name] as const),
  );
  it.for(contained)('at %s nothing is left of %s [fence.namespace]', async ([fence, name], context) => {
    needLevel(fence, context);
    const child = await start({ fence });
    const { mark, started } = await startVictim(child, name);
    process.kill(child.pid, 'SIGKILL');
    await eventually(() => findTraces(mark).length === 0, 'all are gone', 1000);
    await eventually(() => isGone(started.init?.pid ?? 0), 'the init is gone', 1000);
  });

  it.each(VICTIMS)('at portable a successor ends %s before it is ready [run.lost]', async (name) => {
    const child = await start({ fence: 'portable' });
    const { mark, runId, started } = await startVictim(child, name);
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    // The program itself may have died of the closed pipe by now; what it started has not.
    expect(findTraces(mark)).not.toEqual([]);
    const orphans = [{ runId, leader: started.leader }];
    await start({ fence: 'portable', hello: { orphans } });
    expect(findTraces(mark)).toEqual([]);
  });

  it('a successor finds an orphan by its mark alone', async () => {
    const child = await start({ fence: 'portable' });
    const { mark, runId } = await startVictim(child, 'new-session.sh');
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    await start({ fence: 'portable', hello: { orphans: [{ runId }] } });
    expect(findTraces(mark)).toEqual([]);
  });

  it('a successor leaves a stranger alone who has got the number of an orphan since', async () => {
    const stranger = spawn('/bin/sleep', ['30'], { detached: true, stdio: 'ignore' });
    const pid = stranger.pid ?? 0;
    const leader = { pid, startTime: 1 };
    await start({
      fence: 'portable',
      hello: { orphans: [{ runId: 'run-of-before', leader, init: leader }] },
    });
    expect(isGone(pid)).toBe(false);
    stranger.kill('SIGKILL');
  });
});

describe('what `started` tells', () => {
  it.each(LEVELS)('at %s: leader, and init where there is one, with their start times', async (fence) => {
    const child = await start({ fence });
    const { started, id } = await startVictim(child, 'ignores-sigterm.sh');
    expect(started.leader.startTime).toBe(startTimeOf(started.leader.pid));
    if (fence !== 'portable') {
      expect(started.init?.startTime).toBe(startTimeOf(started.init?.pid ?? 0));
      expect(readFileSync(`/proc/${started.init?.pid}/status`, 'utf8')).toMatch(/^NSpid:\s+\d+\s+1$/m);
    } else {
      expect(started.init).toBeUndefined();
    }
    child.send({ type: 'cancel', id });
    await child.answer(id);
  });
});

function startTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}
