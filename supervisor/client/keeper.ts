import type { FenceReport, Orphan } from '../protocol.js';
import { RestartPolicy } from './backoff.js';
import type { SupervisorStatus } from './options.js';
import { type RunNews, Session, type SessionEnd, type SessionPlan } from './session.js';

/** On top of the grace, for a supervisor to end itself / for the kernel to end a killed one, ms. */
const LEAVE_MS = 1_000;

/** Whoever depends on there being a supervisor. */
export interface Dependent {
  ready(report: FenceReport): void;
  news(message: RunNews, body: Buffer): string | undefined;
  /** The one place where a death arrives. Returns what the dead one left running. */
  lost(reason: string): Orphan[];
  /** No supervisor can be had before a minute has passed. */
  refusing(message: string): void;
  /** True while somebody waits for a supervisor. */
  waiting(): boolean;
  log(line: string): void;
}

/** Keeps one session at a time: starts it on demand, buries it, and starts the next one when it may. */
export class Keeper {
  readonly #plan: SessionPlan;
  readonly #dependent: Dependent;
  readonly #policy = new RestartPolicy();
  #session: Session | undefined;
  #report: FenceReport | undefined;
  #timer: NodeJS.Timeout | undefined;
  #predecessor: Promise<unknown> = Promise.resolve();
  #starting: Promise<void> | undefined;
  #readiness: Promise<void> = Promise.resolve();
  #orphans: Orphan[] = [];
  #starts = 0;
  #lastError: string | undefined;
  #retired = false;

  constructor(plan: SessionPlan, dependent: Dependent) {
    this.#plan = plan;
    this.#dependent = dependent;
  }

  /** The session that takes runs now. */
  get open(): Session | undefined {
    return this.#session?.open ? this.#session : undefined;
  }

  /** The last report; it is of the session in force when there is an open one. */
  get report(): FenceReport | undefined {
    return this.#report;
  }

  get status(): SupervisorStatus {
    return {
      state: this.#state(),
      restarts: Math.max(0, this.#starts - 1),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      ...(this.#report !== undefined && { fence: this.#report }),
    };
  }

  /** True while processes of a dead supervisor wait for the successor that will end them. */
  get burying(): boolean {
    return this.#orphans.length > 0 && this.#state() !== 'refusing';
  }

  get orphaned(): boolean {
    return this.#orphans.length > 0;
  }

  /** Sees to it that a supervisor is there or on its way. */
  want(): void {
    if (this.#retired || this.#session !== undefined || this.#starting !== undefined) return;
    const now = performance.now();
    const verdict = this.#policy.next(now);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (verdict.kind === 'refuse') {
      if (this.orphaned) this.#wantAt(verdict.at - now);
      this.#dependent.refusing(this.#refusal(verdict.at - now));
    } else if (verdict.at > now) this.#wantAt(verdict.at - now);
    else void this.#start();
  }

  /** Ends the present session as a death; what depends on it is told as of any other death. */
  replace(reason: string): void {
    this.#session?.fail(reason);
  }

  /**
   * Ends the present session, and by one last session what a dead one left running. Starts nothing else from
   * now on. Resolves when every process is gone.
   */
  async close(graceMs: number): Promise<void> {
    this.#retired = true;
    clearTimeout(this.#timer);
    await this.#starting;
    if (this.#session === undefined) await within(LEAVE_MS, this.#predecessor);
    await this.#dismiss(graceMs);
    if (!this.orphaned) return;
    await this.#start();
    await this.#dismiss(graceMs);
  }

  async #dismiss(graceMs: number): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    // Until it is ready it may not have ended yet what it was handed.
    if (this.orphaned) await Promise.race([session.over, this.#readiness]);
    session.dismiss(graceMs);
    await within(graceMs + LEAVE_MS, session.over);
    session.fail('it did not end when asked to');
    await within(LEAVE_MS, session.over);
  }

  #start(): Promise<void> {
    // Two supervisors at once could both own a run: the dead one is reaped first.
    this.#starting = this.#predecessor.then(() => {
      this.#starting = undefined;
      if (!this.#retired || this.orphaned) this.#open();
    });
    return this.#starting;
  }

  #open(): void {
    this.#starts += 1;
    this.#dependent.log(`supervisor starting (start ${this.#starts})`);
    const handed = new Set(this.#orphans);
    let announce = (): void => {};
    this.#readiness = new Promise((resolve) => {
      announce = resolve;
    });
    const session: Session = new Session(this.#plan, this.#orphans, {
      ready: (report) => {
        this.#report = report;
        this.#orphans = this.#orphans.filter((orphan) => !handed.has(orphan));
        this.#dependent.log(`supervisor ready (fence ${report.level})`);
        announce();
        this.#dependent.ready(report);
      },
      news: (message, body) => this.#dependent.news(message, body),
      ended: (end) => this.#bury(session, end),
    });
    this.#session = session;
  }

  #bury(session: Session, { reason, clean, readyForMs }: SessionEnd): void {
    this.#session = undefined;
    this.#predecessor = session.over;
    const left = this.#dependent.lost(reason);
    if (clean) return;
    this.#lastError = reason;
    this.#policy.died(performance.now(), readyForMs);
    this.#dependent.log(`supervisor lost: ${reason}`);
    this.#orphans.push(...left);
    if (this.orphaned || this.#dependent.waiting()) this.want();
  }

  #wantAt(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.want();
    }, delayMs).unref();
  }

  #state(): SupervisorStatus['state'] {
    if (this.open) return 'ready';
    if (this.#session !== undefined || this.#starting !== undefined) return 'starting';
    if (this.#policy.next(performance.now()).kind === 'refuse') return 'refusing';
    return this.#timer === undefined ? 'idle' : 'backing-off';
  }

  #refusal(waitMs: number): string {
    const seconds = Math.ceil(waitMs / 1000);
    return `the supervisor died too often (last: ${this.#lastError}); it is tried again in ${seconds} s`;
  }
}

/** Waits for `event`, at most `waitMs`. */
async function within(waitMs: number, event: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([event, limit]);
  clearTimeout(timer);
}
