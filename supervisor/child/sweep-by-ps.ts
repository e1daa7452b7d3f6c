import { RUN_ID_VARIABLE } from '../protocol.js';
import { pause } from './deadline.js';
import { readOutputOf } from './spawn.js';

/** Where macOS keeps it; never looked up on a PATH that a program could have set. */
const PS = '/bin/ps';

const PASSES = 3;
const AGAIN_MS = 10;

/** Best effort where there is no /proc: `ps` shows the environment of our own processes on macOS. */
export async function sweepByPs(runId: string): Promise<{ killed: number; clean: boolean }> {
  if (process.platform === 'win32') return { killed: 0, clean: false };
  const cookie = `${RUN_ID_VARIABLE}=${runId}`;
  const killed = new Set<number>();
  for (let pass = 0; pass < PASSES; pass += 1) {
    const table = await readOutputOf(PS, ['-axeww', '-o', 'pid=,command=']);
    if (table === undefined) return { killed: killed.size, clean: false };
    const found = findCarriers(table, cookie);
    if (found.length === 0) return { killed: killed.size, clean: true };
    for (const pid of found) {
      killed.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // gone already
      }
    }
    await pause(AGAIN_MS);
  }
  return { killed: killed.size, clean: false };
}

/** Numbers of the processes whose line of `ps` holds the mark as a word of its own. */
export function findCarriers(table: string, cookie: string): number[] {
  return table.split('\n').flatMap((line) => {
    const pid = Number.parseInt(line, 10);
    const carries = line.split(' ').includes(cookie);
    return carries && pid > 1 && pid !== process.pid ? [pid] : [];
  });
}
