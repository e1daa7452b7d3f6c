import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { FenceOptions, type FenceReport, Limits, NO_FENCE_OPTIONS, type Orphan } from '../protocol.js';
import { startCommand } from '../start-command.js';
import { SupervisorClosed, SupervisorLost, SupervisorRefusal } from './errors.js';
import { KeepAlive } from './keep-alive.js';
import { Keeper } from './keeper.js';
import {
  LIMITS,
  type RunRequest,
  type RunResult,
  type SupervisorOptions,
  type SupervisorStatus,
} from './options.js';
import { pickOwnVariables } from './own-variables.js';
import { PendingRun } from './pending-run.js';
import { ReadyWaiters } from './ready-waiters.js';
import { measureRun } from './run-message.js';
import { RunTable } from './run-table.js';

/**
 * From the spawn to `ready`, ms. A start takes 100 ms, at worst two probes of 2 s more; a child that was stopped on
 * the way is found out by this alone, and somebody waits for it.
 */
const START_TIMEOUT_MS = 5_000;

/** A run waits this much longer than one start may take, so that its refusal can say why the start failed, ms. */
const WAIT_SLACK_MS = 1_000;

/** As in the limits, ms. */
const LONGEST_GRACE_MS = 60_000;

/**
 * Runs programs in a separate process that can be lost without harm: it is started at the first need, watched,
 * replaced when it dies, and never keeps the caller's process alive. Instances share nothing.
 */
export class Supervisor {
  readonly #limits: Limits;
  /** How long anybody waits for a supervisor, ms. */
  readonly #waitMs: number;
  readonly #log: (line: string) => void;
  readonly #runs: RunTable;
  readonly #waiters = new ReadyWaiters(() => this.#settle());
  readonly #keepAlive = new KeepAlive();
  readonly #keeper: Keeper;
  #closing: Promise<void> | undefined;

  /** Throws ZodError when `options.limits` or `options.fenceOptions` are none. */
  constructor(options: SupervisorOptions = {}) {
    const { minFence, env = {}, onLog } = options;
    // Who demands at least the strongest level has asked for it.
    const fence =
      minFence === 'sandbox' && (options.fence ?? 'auto') === 'auto' ? minFence : (options.fence ?? 'auto');
    const fenceOptions = FenceOptions.parse({ ...NO_FENCE_OPTIONS, ...options.fenceOptions });
    const entry = options.entry ?? fileURLToPath(new URL('./supervisor-child.js', import.meta.url));
    this.#limits = Limits.parse({ ...LIMITS, ...options.limits });
    const startDeadlineMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
    this.#waitMs = startDeadlineMs + WAIT_SLACK_MS;
    this.#log = (line) => logSafely(onLog, line);
    this.#runs = new RunTable(this.#limits);
    const start = { ...startCommand({ node: process.execPath, entry, fence }), env: pickOwnVariables(env) };
    this.#keeper = new Keeper(
      { start, limits: this.#limits, fence, minFence, fenceOptions, startDeadlineMs },
      {
        ready: (report) => this.#ready(report),
        news: (message, body) => {
          const impossible = this.#runs.receive(message, body);
          this.#settle();
          return impossible;
        },
        lost: (reason) => this.#lose(reason),
        refusing: (message) => this.#refuseWaiting(message),
        log: this.#log,
        waiting: () => this.#runs.waiting.length > 0 || this.#waiters.size > 0,
      },
    );
  }

  /**
   * Starts the supervisor if need be and waits for it, at most `timeoutMs`. Rejects with SupervisorRefusal
   * `unavailable` (the start goes on in the background) or SupervisorClosed.
   */
  ready(timeoutMs: number = this.#waitMs): Promise<FenceReport> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    const { open, report } = this.#keeper;
    if (open && report) return Promise.resolve(report);
    const waiter = this.#waiters.add(timeoutMs, () => this.#unavailable(timeoutMs));
    this.#keeper.want();
    this.#settle();
    return waiter;
  }

  /**
   * Runs one program. Any exit code, signal or timeout is a result. Rejects with SupervisorRefusal (it did not
   * take place), SupervisorLost (outcome unknown, never repeated), SupervisorClosed, or the reason of
   * `request.signal` when that fired before anything was sent. `stdin` must not change until it settles.
   */
  run(request: RunRequest): Promise<RunResult> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    let run: PendingRun;
    try {
      const runId = randomBytes(16).toString('base64url');
      run = new PendingRun(measureRun(this.#runs.takeId(), runId, request, this.#limits), request, this.#log);
    } catch (error) {
      return Promise.reject(error);
    }
    // Registered in the same turn as `closed` was checked: no run slips in behind a close or a death.
    this.#runs.add(run);
    run.watch(
      (reason) => this.#abort(run, reason),
      () => this.#overdue(run),
    );
    run.expectWithin(this.#waitMs);
    if (this.#keeper.open) this.#send(run);
    else this.#keeper.want();
    this.#settle();
    return run.result;
  }

  /** What is known of the supervisor; starts nothing. */
  status(): SupervisorStatus {
    return this.#keeper.status;
  }

  /**
   * Ends every run and the supervisor; `graceMs` replaces the grace of the limits. Resolves when nothing is left,
   * the same for every call; all pending and later calls reject with SupervisorClosed.
   */
  close({ graceMs = this.#limits.graceMs }: { graceMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(boundGrace(graceMs));
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    this.#keepAlive.set(true);
    this.#waiters.rejectAll(closed());
    for (const run of this.#runs.waiting) this.#runs.drop(run, closed());
    // Kept in the table: their processes are alive until the supervisor says otherwise.
    for (const run of this.#runs.inFlight) run.fail(closed());
    await this.#keeper.close(graceMs);
    this.#keepAlive.set(false);
  }

  #ready(report: FenceReport): void {
    this.#waiters.resolveAll(report);
    for (const run of this.#runs.waiting) this.#send(run);
    this.#settle();
  }

  #send(run: PendingRun): void {
    const session = this.#keeper.open;
    if (!session) return;
    this.#runs.markSent(run);
    try {
      session.send(run.message, run.body);
    } catch (error) {
      // It was measured before, so this is a mistake of ours; the run did not cross.
      this.#runs.drop(run, error);
    }
  }

  #abort(run: PendingRun, reason: unknown): void {
    if (run.sent) this.#keeper.open?.send({ type: 'cancel', id: run.id });
    else this.#runs.drop(run, reason);
    this.#settle();
  }

  #overdue(run: PendingRun): void {
    if (run.sent) this.#keeper.replace('a run was not answered in time');
    else this.#runs.drop(run, this.#unavailable(this.#waitMs));
    this.#settle();
  }

  #lose(reason: string): Orphan[] {
    const message = `supervisor lost (${reason}): the outcome of the run is unknown and it is not retried`;
    return this.#runs.lose(() => new SupervisorLost(message));
  }

  #refuseWaiting(message: string): void {
    const refusal = new SupervisorRefusal('unavailable', message);
    this.#waiters.rejectAll(refusal);
    for (const run of this.#runs.waiting) this.#runs.drop(run, refusal);
    this.#settle();
  }

  #unavailable(waitedMs: number): SupervisorRefusal {
    const { lastError } = this.#keeper.status;
    const why = lastError === undefined ? '' : ` (last: ${lastError})`;
    return new SupervisorRefusal('unavailable', `no supervisor was ready within ${waitedMs} ms${why}`);
  }

  /** Brings the pace of the heartbeat and the hold on the process in line with what is pending now. */
  #settle(): void {
    this.#keeper.open?.setBusy(this.#runs.inFlight.length > 0);
    if (this.#closing !== undefined) return;
    this.#keepAlive.set(this.#runs.size > 0 || this.#waiters.size > 0 || this.#keeper.burying);
  }
}

function boundGrace(graceMs: number): number {
  return Math.min(Math.max(Math.round(graceMs) || 0, 0), LONGEST_GRACE_MS);
}

function closed(): SupervisorClosed {
  return new SupervisorClosed('the supervisor is closed');
}

function logSafely(onLog: ((line: string) => void) | undefined, line: string): void {
  try {
    onLog?.(line);
  } catch {
    // The log is the caller's code; there is nowhere left to say that it threw.
  }
}
