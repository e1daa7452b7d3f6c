import treeKill from 'tree-kill';
import { settlesWithin } from './deadline.js';
import type { Containment, Subject } from './fence/fence.js';
import { findTool, readProgramName } from './find-tool.js';

/** A process that got SIGKILL is gone within a few ms; later than this the next rung is tried, ms. */
const KILLED_LIMIT_MS = 250;

export interface Ladder {
  readonly subject: Subject;
  readonly containment: Containment;
  /** Settles when the program has ended. */
  readonly exited: Promise<unknown>;
  /** Between SIGTERM and SIGKILL, ms. */
  readonly graceMs: number;
  /** PATH of this process: where the last rung would look for `ps`. */
  readonly searchPath: string;
}

/** Walks the kill ladder until the program has ended. True when it took SIGKILL. */
export async function terminate(ladder: Ladder): Promise<boolean> {
  const { subject, containment, exited, graceMs } = ladder;
  if (process.platform === 'win32') {
    killTree(subject.leader.pid);
    await settlesWithin(exited, KILLED_LIMIT_MS);
    return true;
  }
  containment.askToEnd(subject);
  if (graceMs > 0 && (await settlesWithin(exited, graceMs))) return false;
  // While the tree still hangs together: where there is no /proc, a sweep could not find it afterwards.
  if (process.platform === 'darwin') killTree(subject.leader.pid);
  containment.kill(subject);
  if (await settlesWithin(exited, KILLED_LIMIT_MS)) return true;
  if (process.platform === 'linux' && hasTrustworthyPs(ladder.searchPath)) killTree(subject.leader.pid);
  containment.kill(subject);
  await settlesWithin(exited, KILLED_LIMIT_MS);
  return true;
}

/** Without `ps` the library ends its host; with the one of busybox it silently misses all children. */
function hasTrustworthyPs(searchPath: string): boolean {
  const ps = findTool('ps', searchPath);
  return ps !== undefined && readProgramName(ps) !== 'busybox';
}

function killTree(pid: number): void {
  treeKill(pid, 'SIGKILL', () => {}); // errors do not matter: what it missed is swept, or reported
}
