import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import type { SupervisorOptions } from '../../supervisor/client/options.js';
import { Supervisor } from '../../supervisor/client/supervisor.js';

/** The built program of the supervisor. */
export const REAL_CHILD = fileURLToPath(new URL('../../dist/supervisor-child.js', import.meta.url));

/** A child that speaks the protocol and does one thing wrong. */
export const fixtureChild = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/children/${name}.mjs`, import.meta.url));

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly group: number;
  readonly command: string;
}

/** Every process that is alive. A zombie is not: nobody may ever reap it in a container. */
export function livingProcesses(): Row[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), state, group: Number(group), command }];
      } catch {
        return [];
      }
    })
    .filter(({ state }) => state !== 'Z' && state !== 'X');
}

export const isAlive = (pid: number): boolean => livingProcesses().some((row) => row.pid === pid);

/** Living processes with this text in their command line. */
export const processesNaming = (text: string): Row[] =>
  livingProcesses().filter(({ command }) => command.includes(text));

/** Supervisors that this test process has started; with `entry`, those of that program only. */
export const supervisorPids = (entry = ''): number[] =>
  livingProcesses()
    .filter(({ parent, command }) => parent === process.pid && command.includes(entry))
    .map(({ pid }) => pid);

/** The one supervisor that is there. */
export function supervisorPid(entry = ''): number {
  const [pid, ...others] = supervisorPids(entry);
  if (pid === undefined || others.length > 0) throw new Error(`not one supervisor: ${[pid, ...others]}`);
  return pid;
}

/** Looks again until it holds; the last look's failure is the test's. */
export const eventually = async (look: () => void, timeoutMs = 10_000): Promise<void> => {
  await expect.poll(() => attempt(look), { timeout: timeoutMs, interval: 20 }).toBeUndefined();
};

function attempt(look: () => void): string | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Makes Supervisors for the tests of one file, and proves after each test that nothing of them is left: no child
 * of this process, and no process that names one of `labels`.
 */
export function useSupervisors(): {
  make(options?: SupervisorOptions): Supervisor;
  /** A text for a command line that no other process on this machine has. */
  label(): string;
} {
  const made: Supervisor[] = [];
  const labels: string[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((supervisor) => supervisor.close({ graceMs: 100 })));
    expect(supervisorPids()).toEqual([]);
    for (const label of labels.splice(0)) expect(processesNaming(label)).toEqual([]);
  });
  return {
    make(options = {}) {
      const supervisor = new Supervisor({
        entry: REAL_CHILD,
        env: { PATH: process.env.PATH },
        ...options,
      });
      made.push(supervisor);
      return supervisor;
    },
    label() {
      // Seconds that sleep(1) takes, and unlike any other's.
      const label = `59.${process.pid}${process.hrtime.bigint()}`;
      labels.push(label);
      return label;
    },
  };
}
