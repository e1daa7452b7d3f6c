import { signalGroup } from '../signal-group.js';
import { sweep } from '../sweep.js';
import type { Containment } from './fence.js';

/** A session of its own, and a mark in the environment: works everywhere, proves nothing against malice. */
export const portable: Containment = {
  level: 'portable',
  stderrSlot: 2,
  unavailableVariables: new Set(),
  wrap: ({ file, args }) => ({ file, args: [...args] }),
  findInit: async () => undefined,
  askToEnd: ({ leader }) => {
    signalGroup(leader, 'SIGTERM');
    signalGroup(leader, 'SIGCONT');
  },
  kill: (subject) => {
    signalGroup(subject.leader, 'SIGKILL');
  },
  clear: async (subject, ageMs) => {
    // On Linux the sweep finds the members of the group one by one, and counts them.
    if (process.platform !== 'linux') signalGroup(subject.leader, 'SIGKILL');
    const { killed } = await sweep({ runId: subject.runId, leader: subject.leader, ownsGroup: true, ageMs });
    // A daemon in a session of its own that wiped its environment cannot be seen from here.
    return { killed, possible: true };
  },
  readExit: (exit) => exit,
  readFailure: () => undefined,
};
