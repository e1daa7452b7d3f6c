import type { Fence, FenceReport, SupervisorStatus } from '../../../supervisor/index.js';
import { unknownFence } from '../../run/fence-demand.js';

/** Where the state of running comes from. */
export interface RunStatus {
  /** Starts the supervisor and waits a moment for its fence; never rejects. */
  readonly readFence: () => Promise<FenceReport>;
  readonly supervisorStatus: () => SupervisorStatus;
}

/** The fence and the supervisor as skill_list shows them; the supervisor is started only if anything could run. */
export async function readRunStatus(
  status: RunStatus,
  fenceFault: string | undefined,
  isAnyExecutable: boolean,
): Promise<{ fence: Fence; supervisor: Record<string, unknown> }> {
  const report = await readReport(status, fenceFault, isAnyExecutable);
  const { refusal, ...fence } = report;
  const { state, restarts, lastError } = status.supervisorStatus();
  return {
    fence: refusal === undefined ? fence : { ...fence, reason: refusal },
    supervisor: { state, restarts, ...(lastError !== undefined && { lastError }) },
  };
}

function readReport(
  status: RunStatus,
  fenceFault: string | undefined,
  isAnyExecutable: boolean,
): FenceReport | Promise<FenceReport> {
  if (fenceFault !== undefined) return unknownFence(fenceFault);
  if (!isAnyExecutable) return unknownFence('not probed: no skill here has a script that would run');
  return status.readFence();
}
