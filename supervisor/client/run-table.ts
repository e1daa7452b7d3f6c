import type { Limits, Orphan } from '../protocol.js';
import type { PendingRun } from './pending-run.js';
import type { RunNews } from './session.js';

/** On top of timeout and grace: the child answers within 2 s of them, or it has forgotten the run, ms. */
const OVERDUE_MS = 10_000;

function overdueAfterMs(run: PendingRun, limits: Limits): number {
  return run.message.timeoutMs + limits.graceMs + OVERDUE_MS;
}

/**
 * Every run that was asked for and not answered yet. A run stays until the child's last word on it or the
 * child's death, even when its promise is settled: until then its process may be alive.
 */
export class RunTable {
  readonly #runs = new Map<number, PendingRun>();
  readonly #limits: Limits;
  #lastId = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#runs.size;
  }

  get inFlight(): PendingRun[] {
    return [...this.#runs.values()].filter((run) => run.sent);
  }

  get waiting(): PendingRun[] {
    return [...this.#runs.values()].filter((run) => !run.sent);
  }

  /** Ids rise and are never used twice, so that a late message cannot mean another run. */
  takeId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  add(run: PendingRun): void {
    this.#runs.set(run.id, run);
  }

  /** Marks a run as in flight; where a full house makes it wait its turn, only its start sets a deadline. */
  markSent(run: PendingRun): void {
    run.sent = true;
    run.expectWithin(this.#limits.whenFull === 'refuse' ? overdueAfterMs(run, this.#limits) : undefined);
  }

  /** Settles a run with an error and forgets it. */
  drop(run: PendingRun, reason: unknown): void {
    this.#runs.delete(run.id);
    run.fail(reason);
  }

  /** Settles every run in flight with an error and forgets it; returns what a successor has to end. */
  lose(error: () => Error): Orphan[] {
    const lost = this.inFlight;
    for (const run of lost) this.drop(run, error());
    return lost.map((run) => run.orphan);
  }

  /** Applies a message of the child; returns why it is impossible, or undefined. */
  receive(news: RunNews, body: Buffer): string | undefined {
    const run = this.#runs.get(news.id);
    if (run === undefined || !run.sent) {
      // A tail may be on its way while its run ends, but not for an id that was never given out.
      const late = news.type === 'tail' && news.id > 0 && news.id <= this.#lastId;
      return late ? undefined : `${news.type} for a run that is not in flight`;
    }
    switch (news.type) {
      case 'started':
        if (run.started) return 'a run started twice';
        run.begin(news);
        run.expectWithin(overdueAfterMs(run, this.#limits));
        return undefined;
      case 'tail':
        run.tail(news);
        return undefined;
      case 'refused':
        this.#runs.delete(run.id);
        run.refuse(news.code, news.message);
        return undefined;
      case 'finished': {
        const { stdout, stderr } = news.keptBytes;
        const tooMuch = Math.max(stdout, stderr) > this.#limits.streamBytes;
        if (tooMuch || stdout + stderr !== body.byteLength) return 'a result whose sizes do not add up';
        this.#runs.delete(run.id);
        run.finish(news, body);
        return undefined;
      }
    }
  }
}
