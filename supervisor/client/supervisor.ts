import type { FenceReport } from '../protocol.js';
import type { RunRequest, RunResult, SupervisorOptions, SupervisorStatus } from './options.js';

/** PLACEHOLDER SHAPE - being written. */
export class Supervisor {
  constructor(_options: SupervisorOptions = {}) {}
  /** Starts the child if need be and waits for `ready`, at most `timeoutMs`. */
  ready(_timeoutMs?: number): Promise<FenceReport> {
    throw new Error('being written');
  }
  run(_request: RunRequest): Promise<RunResult> {
    throw new Error('being written');
  }
  status(): SupervisorStatus {
    throw new Error('being written');
  }
  /** Ends every run and the child; `graceMs` replaces the instance's grace. */
  close(_options?: { graceMs?: number }): Promise<void> {
    throw new Error('being written');
  }
}
