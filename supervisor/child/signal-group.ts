import type { ProcessIdentity } from '../protocol.js';
import { readProcess } from './process-table.js';

/** Signals a run's group. False when there is no such group any more. */
export function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals | 0): boolean {
  // The number of a group is not given away while the group lives; if somebody else has it, the group is gone.
  if (leader.startTime !== null) {
    const holder = readProcess(leader.pid);
    if (holder !== undefined && holder.startTime !== leader.startTime) return false;
  }
  return sendSignal(-leader.pid, signal);
}

/** Signals exactly this process. False when it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (identity.startTime !== null && readProcess(identity.pid)?.startTime !== identity.startTime)
    return false;
  return sendSignal(identity.pid, signal);
}

function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false; // no such process or group
  }
}
