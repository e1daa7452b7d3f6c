import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../errors/errno.js';
import type { Operation } from './operation.js';

/** Longest time that another process on this machine is let go first, ms: clients give up after 60 s. */
const WAIT_MS = 30_000;
/** How often the one whose turn it is says that it is still there, ms. */
const SIGN_OF_LIFE_MS = 1_000;
/** Without a sign for that long it has died, ms. */
const ABANDONED_MS = 6_000;
const POLL_MS = 100;

interface TurnEdges {
  /** Ms since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Lets changes of one registry happen one after the other: in order within this process, and by a file between the
 * processes of this machine. Only the first is relied on for anything: GitHub compares the branch at every change, so a
 * turn that is not kept costs another try, never somebody's change.
 */
export class PublishTurn {
  readonly #file: string;
  readonly #edges: TurnEdges;
  #tail: Promise<void> = Promise.resolve();

  constructor(file: string, edges: TurnEdges) {
    this.#file = file;
    this.#edges = edges;
  }

  /** Runs `work` when it is its turn. A cancelled operation leaves the queue without having run. */
  async run<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tail;
    let release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await before;
      operation.check();
      return await this.#runAmongProcesses(operation, work);
    } finally {
      release();
    }
  }

  async #runAmongProcesses<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + WAIT_MS;
    let state = await this.#take();
    while (state === 'taken' && performance.now() < deadline) {
      // Random, so that those who wait do not all look at the same moment.
      await operation.pause(POLL_MS * (0.5 + this.#edges.random()));
      state = await this.#take();
    }
    if (state !== 'ours') return work();
    const signs = setInterval(() => {
      const now = new Date(this.#edges.now());
      void utimes(this.#file, now, now).catch(() => undefined);
    }, SIGN_OF_LIFE_MS);
    try {
      return await work();
    } finally {
      clearInterval(signs);
      await rm(this.#file, { force: true }).catch(() => undefined);
    }
  }

  /** `useless` where the cache cannot be written: then everybody goes at once. */
  async #take(): Promise<'ours' | 'taken' | 'useless'> {
    try {
      await mkdir(dirname(this.#file), { recursive: true });
    } catch {
      return 'useless';
    }
    try {
      await writeFile(this.#file, `${process.pid}\n`, { flag: 'wx' });
      return 'ours';
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') return 'useless';
    }
    const found = await stat(this.#file).catch(() => undefined);
    if (found !== undefined && this.#edges.now() - found.mtimeMs > ABANDONED_MS) {
      await rm(this.#file, { force: true }).catch(() => undefined);
    }
    return 'taken';
  }
}
