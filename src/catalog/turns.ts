import { setImmediate } from 'node:timers/promises';

/** Lets one holder at a time do work that blocks, with a round of the event loop between two of them. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is the caller's turn. */
  async take(): Promise<void> {
    const turn = this.#last.then(() => setImmediate());
    this.#last = turn;
    await turn;
  }
}
