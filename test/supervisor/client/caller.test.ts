import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, livingProcesses, processesNaming } from '../../helpers/supervised.js';

const FENCES = ['portable', 'auto'] as const;
const callers: ChildProcess[] = [];
const labels: string[] = [];

function start(name: string, ...args: string[]) {
  const program = fileURLToPath(new URL(`../../fixtures/callers/${name}.mjs`, import.meta.url));
  const caller = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  callers.push(caller);
  const said = { text: '' };
  caller.stdout.on('data', (chunk) => {
    said.text += chunk;
  });
  return { caller, said, exited: once(caller, 'exit') };
}

function label(): string {
  const seconds = `58.${process.pid}${process.hrtime.bigint()}`;
  labels.push(seconds);
  return seconds;
}

const descendants = (root: number): number[] =>
  livingProcesses()
    .filter(({ parent }) => parent === root)
    .flatMap(({ pid }) => [pid, ...descendants(pid)]);

afterEach(async () => {
  for (const caller of callers.splice(0)) caller.kill('SIGKILL');
  for (const seconds of labels.splice(0))
    await eventually(() => expect(processesNaming(seconds)).toEqual([]));
});

describe('a program that uses a supervisor', () => {
  it.each(FENCES)(
    'ends by itself after its last line, and the supervisor with it (%s) [library.idle]',
    async (fence) => {
      const { caller, said, exited } = start('runs-once', fence);
      const below = new Set<number>();
      const watch = setInterval(() => {
        for (const pid of descendants(caller.pid ?? 0)) below.add(pid);
      }, 10);
      expect(await exited).toEqual([0, null]);
      clearInterval(watch);
      expect(said.text).toBe('hello\n');
      // Seen while it lived, so that their absence means something.
      expect(below.size).toBeGreaterThan(0);
      await eventually(() => expect(livingProcesses().filter(({ pid }) => below.has(pid))).toEqual([]));
    },
  );

  it('ends by itself when it only asked for the report [library.idle]', async () => {
    const { said, exited } = start('only-looks');
    expect(await exited).toEqual([0, null]);
    expect(said.text).toBe('host\n');
  });

  it.each(FENCES)('that lost a run does not end before the orphan has (%s)', async (fence) => {
    const seconds = label();
    const { said, exited } = start('loses-one', fence, seconds);
    expect(await exited).toEqual([0, null]);
    // The second one was there before this ended: it had ended the orphan.
    expect(said.text.split('\n').map((line) => line.replace(/ \(.*/, ''))).toEqual([
      'supervisor starting',
      'supervisor ready',
      'supervisor lost: it was ended by SIGKILL',
      'SupervisorLost',
      'supervisor starting',
      'supervisor ready',
      '',
    ]);
    expect(processesNaming(seconds)).toEqual([]);
  });

  it.each(FENCES)(
    'takes its supervisor and the run along when it is killed (%s) [fence.server-killed]',
    async (fence) => {
      const seconds = label();
      const { caller, said, exited } = start('holds-one', fence, seconds);
      await eventually(() => expect(said.text).toBe('started\n'));
      const below = descendants(caller.pid ?? 0);
      expect(below.length).toBeGreaterThan(1);
      caller.kill('SIGKILL');
      await exited;
      await eventually(() => expect(livingProcesses().filter(({ pid }) => below.includes(pid))).toEqual([]));
      expect(processesNaming(seconds)).toEqual([]);
    },
  );
});
