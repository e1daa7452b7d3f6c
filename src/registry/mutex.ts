import type { Operation } from './operation.js';

/** Lets one change of the registry happen at a time within this process; the others wait in order. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Runs `work` alone. A cancelled operation leaves the queue without having run. */
  async run<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tail;
    let release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await before;
      operation.check();
      return await work();
    } finally {
      release();
    }
  }
}
