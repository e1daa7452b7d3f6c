import { setImmediate } from 'node:timers/promises';

/** Work that blocks goes on for this long before others get a turn, ms. */
const SLICE_MS = 5;

/** Cuts work that blocks into slices, with a round of the event loop between two of them. */
export class Turns {
  #sliceStartMs = performance.now();
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves at once while the slice lasts; else those who wait begin a slice each, a round apart. */
  async take(): Promise<void> {
    if (!this.isOver()) return;
    const turn = this.#last.then(() => setImmediate());
    this.#last = turn;
    await turn;
    this.#sliceStartMs = performance.now();
  }

  /** True when the slice is used up; for a loop that awaits only then. */
  isOver(): boolean {
    return performance.now() - this.#sliceStartMs > SLICE_MS;
  }
}
