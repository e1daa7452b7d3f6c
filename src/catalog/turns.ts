import { setImmediate } from 'node:timers/promises';

/** Work that blocks goes on for this long before others get a turn, ms. */
const SLICE_MS = 5;

/** Cuts work that blocks into slices, with a round of the event loop between two of them. */
export class Turns {
  #sliceStartMs = performance.now();
  #round: Promise<void> | undefined;

  /** Resolves at once while the slice lasts, else after everybody else had a turn. */
  async take(): Promise<void> {
    // All wait for the same round: the first one back uses the new slice, those behind it look at the clock once more.
    while (this.isOver()) {
      this.#round ??= this.#yield();
      await this.#round;
    }
  }

  /** True when the slice is used up; for a loop that awaits only then. */
  isOver(): boolean {
    return performance.now() - this.#sliceStartMs > SLICE_MS;
  }

  async #yield(): Promise<void> {
    await setImmediate();
    this.#round = undefined;
    this.#sliceStartMs = performance.now();
  }
}
