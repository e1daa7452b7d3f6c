import { setTimeout as delay } from 'node:timers/promises';
import { RegistryFault } from './fault.js';

/** Longest sum of waits that GitHub asked for within one call, ms: clients give up after 60 s. */
const MAX_WAIT_MS = 20_000;

/** One call of a tool or subcommand, as all its requests share it. */
export class Operation {
  #waitedMs = 0;

  constructor(
    readonly signal: AbortSignal,
    /** Told about what goes on, for a person who waits. */
    readonly report: (step: { done: number; total: number; message: string }) => void = () => {},
  ) {}

  /** False when waiting that long would be more than a caller endures. */
  canWait(ms: number): boolean {
    return this.#waitedMs + ms <= MAX_WAIT_MS;
  }

  /** Waits for GitHub; counts against what one call may wait in all. */
  async waitFor(ms: number): Promise<void> {
    this.#waitedMs += ms;
    await this.pause(ms);
  }

  /** Sleeps; ends at once with a fault when the call is cancelled. */
  async pause(ms: number): Promise<void> {
    try {
      await delay(ms, undefined, { signal: this.signal });
    } catch {
      throw new RegistryFault('cancelled', 'the call was cancelled');
    }
  }

  /** Throws when nobody waits for the answer any more. */
  check(): void {
    if (this.signal.aborted) throw new RegistryFault('cancelled', 'the call was cancelled');
  }
}
