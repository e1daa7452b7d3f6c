/** A place in the queue, or in a slot already. */
export interface Place {
  /** Gives up waiting. False when the run has a slot already (or had one). */
  leave(): boolean;
}

/** Counts programs in flight. Taken synchronously, so that two requests of one tick cannot both pass. */
export class Slots {
  readonly #size: number;
  readonly #waits: boolean;
  readonly #queue: Array<() => void> = [];
  #taken = 0;

  constructor(size: number, whenFull: 'refuse' | 'wait') {
    this.#size = size;
    this.#waits = whenFull === 'wait';
  }

  /** Calls `start` now, or when its turn comes. Undefined: no slot is free and nobody waits here. */
  enter(start: () => void): Place | undefined {
    if (this.#taken < this.#size) {
      this.#taken += 1;
      start();
      return { leave: () => false };
    }
    if (!this.#waits) return undefined;
    this.#queue.push(start);
    return {
      leave: () => {
        const index = this.#queue.indexOf(start);
        if (index >= 0) this.#queue.splice(index, 1);
        return index >= 0;
      },
    };
  }

  /** Gives one slot back; the longest waiting run gets it at once. */
  free(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}
