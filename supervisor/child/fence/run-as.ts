import { isGone, listProcesses, readProcess, readUser } from '../process-table.js';
import { readOutputOf } from '../spawn.js';
import type { Containment, Survivors } from './fence.js';

/** A user that belongs to runs alone. */
export interface RunUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Runs every program as a user of its own. Whatever that user runs belongs to the run, so all of it is ended by one
 * call of the kernel, which no fork can race; and the program has no rights on anything of ours.
 */
export function runAs(inner: Containment, user: RunUser, setpriv: string): Containment {
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--no-new-privs', '--'];
  /** Returns how many there were. */
  const endAll = async (): Promise<number> => {
    const left = listProcessesOf(user.uid).length;
    if (left > 0) await readOutputOf(setpriv, [...become, '/bin/sh', '-c', 'kill -9 -1']);
    return left;
  };
  return {
    ...inner,
    wrap: (work) => {
      const { file, args } = inner.wrap(work);
      return { file: setpriv, args: [...become, file, ...args] };
    },
    kill: (subject) => {
      inner.kill(subject);
      for (const pid of listProcessesOf(user.uid)) killOne(pid);
    },
    clear: async (subject, ageMs, words): Promise<Survivors> => {
      const { killed } = await inner.clear(subject, ageMs, words);
      const left = await endAll();
      return { killed: killed + left, possible: listProcessesOf(user.uid).length > 0 };
    },
    endLeft: async () => {
      await endAll();
    },
  };
}

/** Why this user cannot be the runs' own; undefined when it can. */
export function findUserFault(user: RunUser): string | undefined {
  const [pid] = listProcessesOf(user.uid);
  return pid === undefined
    ? undefined
    : `the user ${user.uid} runs other processes (such as ${pid}), which the end of a run would end`;
}

/** Living processes of this user. */
function listProcessesOf(uid: number): number[] {
  return listProcesses().filter((pid) => readUser(pid) === uid && !isGone(readProcess(pid)));
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone between the look and the shot
  }
}
