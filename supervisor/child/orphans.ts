import type { Orphan } from '../protocol.js';
import type { Containment } from './fence/fence.js';
import { isAlive } from './process-table.js';
import { signalGroup, signalProcess } from './signal-group.js';
import { sweep } from './sweep.js';

/** Ends what a dead predecessor left behind. Done before any work is taken. */
export async function endOrphans(orphans: readonly Orphan[], containment: Containment): Promise<void> {
  for (const orphan of orphans) {
    const { runId, leader, init } = orphan;
    // The namespace first: with its init dies everything that the group does not reach.
    if (init !== undefined && isAlive(init)) signalProcess(init, 'SIGKILL');
    // Without a start time (no /proc) a number proves nothing; the mark has to do.
    const ownsGroup = leader !== undefined && isAlive(leader);
    if (ownsGroup) signalGroup(leader, 'SIGKILL');
    await sweep({ runId, leader, ownsGroup });
    await containment.endLeft?.(runId);
  }
}
