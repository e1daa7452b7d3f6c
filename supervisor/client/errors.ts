import type { RefusalCode } from '../protocol.js';

/**
 * The run did not take place; nothing of it is left running. `code` is the child's refusal, or `unavailable`
 * when no supervisor could be had at all (it died five times within a minute, or does not start).
 */
export class SupervisorRefusal extends Error {
  override readonly name = 'SupervisorRefusal';
  readonly code: RefusalCode | 'unavailable';

  constructor(code: RefusalCode | 'unavailable', message: string) {
    super(message);
    this.code = code;
  }
}

/** The supervisor died, hung or broke the protocol while the run was in flight: its outcome is unknown. */
export class SupervisorLost extends Error {
  override readonly name = 'SupervisorLost';
}

/** The supervisor was closed by its owner before or during the run. */
export class SupervisorClosed extends Error {
  override readonly name = 'SupervisorClosed';
}
