import type { FenceReport } from '../protocol.js';

/** A timer beyond 2^31 - 1 ms would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

interface Waiter {
  readonly resolve: (report: FenceReport) => void;
  readonly reject: (reason: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** Those who wait for a supervisor to be ready, each with a deadline of its own. */
export class ReadyWaiters {
  readonly #waiters = new Set<Waiter>();
  readonly #onExpiry: () => void;

  /** `onExpiry` is called after a waiter's deadline has passed. */
  constructor(onExpiry: () => void) {
    this.#onExpiry = onExpiry;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Waits at most `timeoutMs`, then rejects with what `expired` makes. */
  add(timeoutMs: number, expired: () => Error): Promise<FenceReport> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#waiters.delete(waiter);
          reject(expired());
          this.#onExpiry();
        },
        Math.min(timeoutMs, LONGEST_WAIT_MS),
      ).unref();
      const waiter: Waiter = { resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  resolveAll(report: FenceReport): void {
    for (const waiter of this.#takeAll()) waiter.resolve(report);
  }

  rejectAll(reason: unknown): void {
    for (const waiter of this.#takeAll()) waiter.reject(reason);
  }

  #takeAll(): Waiter[] {
    const all = [...this.#waiters];
    this.#waiters.clear();
    for (const { timer } of all) clearTimeout(timer);
    return all;
  }
}
