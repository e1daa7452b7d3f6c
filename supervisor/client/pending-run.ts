import type { FinishedMessage, FromChild, Orphan, RefusalCode } from '../protocol.js';
import { SupervisorRefusal } from './errors.js';
import type { RunRequest, RunResult } from './options.js';
import type { MeasuredRun } from './run-message.js';

/** A timer beyond 2^31 - 1 ms would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** One run between its request and its settlement: it settles exactly once, whoever comes first. */
export class PendingRun {
  readonly id: number;
  readonly runId: string;
  readonly result: Promise<RunResult>;
  /** Whether it has crossed the channel: before that nothing can have happened, after it anything can. */
  sent = false;
  readonly #measured: MeasuredRun;
  readonly #request: RunRequest;
  readonly #log: (line: string) => void;
  #resolve: (result: RunResult) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  #settled = false;
  #started = false;
  #orphan: Orphan;
  #release: () => void = () => {};
  #onOverdue: () => void = () => {};
  #wait: NodeJS.Timeout | undefined;

  constructor(measured: MeasuredRun, request: RunRequest, log: (line: string) => void) {
    this.id = measured.message.id;
    this.runId = measured.message.runId;
    this.#measured = measured;
    this.#request = request;
    this.#log = log;
    this.#orphan = { runId: this.runId };
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get message(): MeasuredRun['message'] {
    return this.#measured.message;
  }

  get body(): Buffer | undefined {
    return this.#measured.body;
  }

  get started(): boolean {
    return this.#started;
  }

  /** What a successor must end if the supervisor dies now. */
  get orphan(): Orphan {
    return this.#orphan;
  }

  /** Until it settles, calls `onAbort` when the request's signal fires and `onOverdue` when a wait is over. */
  watch(onAbort: (reason: unknown) => void, onOverdue: () => void): void {
    const { signal } = this.#request;
    const abort = () => onAbort(signal?.reason);
    this.#onOverdue = onOverdue;
    signal?.addEventListener('abort', abort, { once: true });
    this.#release = () => signal?.removeEventListener('abort', abort);
  }

  /** Its next step is due within `waitMs`; replaces the wait before. Without a number it may take any time. */
  expectWithin(waitMs: number | undefined): void {
    clearTimeout(this.#wait);
    if (waitMs === undefined || this.#settled) return;
    this.#wait = setTimeout(() => this.#onOverdue(), Math.min(waitMs, LONGEST_WAIT_MS)).unref();
  }

  begin(message: Extract<FromChild, { type: 'started' }>): void {
    this.#orphan = {
      runId: this.runId,
      leader: message.leader,
      ...(message.init && { init: message.init }),
    };
    this.#announce();
  }

  tail({ line, stdoutBytes, stderrBytes }: Extract<FromChild, { type: 'tail' }>): void {
    if (!this.#settled) this.#guard(() => this.#request.onTail?.({ line, stdoutBytes, stderrBytes }));
  }

  finish(message: FinishedMessage, body: Buffer): void {
    // It took place, even if its start was over too soon to be told.
    this.#announce();
    const { v: _v, incarnation: _incarnation, type: _type, id: _id, keptBytes, ...outcome } = message;
    this.#settle(() =>
      this.#resolve({
        runId: this.runId,
        ...outcome,
        stdout: body.subarray(0, keptBytes.stdout),
        stderr: body.subarray(keptBytes.stdout),
      }),
    );
  }

  /** It did not take place. Whoever gave it up while it waited for a slot gets his own reason back. */
  refuse(code: RefusalCode, message: string): void {
    const { signal } = this.#request;
    this.fail(signal?.aborted && !this.#started ? signal.reason : new SupervisorRefusal(code, message));
  }

  fail(reason: unknown): void {
    this.#settle(() => this.#reject(reason));
  }

  #announce(): void {
    if (this.#started) return;
    this.#started = true;
    if (!this.#settled) this.#guard(() => this.#request.onStarted?.());
  }

  #settle(settle: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#release();
    clearTimeout(this.#wait);
    settle();
  }

  /** A callback is the caller's code: what it throws is logged as a fact and goes no further. */
  #guard(callback: () => void): void {
    try {
      callback();
    } catch {
      this.#log('a callback of a run threw; ignored');
    }
  }
}
