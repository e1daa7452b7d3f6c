import { randomBytes } from 'node:crypto';
import type {
  FenceLevel,
  FenceOptions,
  FenceReport,
  FenceRequest,
  FromChild,
  Limits,
  Orphan,
} from '../protocol.js';
import { Channel, type Outgoing } from './channel.js';
import { Heartbeat } from './heartbeat.js';
import { type Child, type Exit, type StartPlan, startChild } from './start-child.js';
import { StarvationWatch } from './starvation.js';

/** An exit and the end of the channel belong together; the second one is given this long, ms. */
const LAST_WORDS_MS = 100;

/** What every incarnation is started with and told in its `hello`. */
export interface SessionPlan {
  readonly start: StartPlan;
  readonly limits: Limits;
  readonly fence: FenceRequest;
  readonly minFence: FenceLevel | undefined;
  readonly fenceOptions: FenceOptions;
  /** One start may take this long until `ready`, ms. */
  readonly startDeadlineMs: number;
}

/** Messages that concern single runs; the session keeps the others to itself. */
export type RunNews = Exclude<FromChild, { type: 'ready' | 'pong' }>;

/** How a session came to its end. */
export interface SessionEnd {
  readonly reason: string;
  /** It was asked to end, ended its runs and then itself. */
  readonly clean: boolean;
  /** Zero when it never was ready. */
  readonly readyForMs: number;
}

/** Whoever owns the session. Nothing is called after `ended`, which is called exactly once. */
export interface SessionOwner {
  ready(report: FenceReport): void;
  /** Returns why the message is impossible, or undefined. */
  news(message: RunNews, body: Buffer): string | undefined;
  ended(end: SessionEnd): void;
}

/** One incarnation of the supervisor, from its spawn to its end; never revived. */
export class Session {
  /** Resolves once `ended` was called and the process is gone. Never rejects. */
  readonly over: Promise<unknown>;
  readonly #owner: SessionOwner;
  readonly #child: Child;
  readonly #channel: Channel | undefined;
  readonly #heartbeat: Heartbeat;
  #startDeadline: NodeJS.Timeout | undefined;
  #lastWords: NodeJS.Timeout | undefined;
  #phase: 'starting' | 'ready' | 'ending' | 'ended' = 'starting';
  #readyAt: number | undefined;
  #exit: Exit | undefined;
  #dismissed = false;
  #resolveOver: () => void = () => {};
  #channelOver = false;

  constructor(plan: SessionPlan, orphans: readonly Orphan[], owner: SessionOwner) {
    this.#owner = owner;
    this.#child = startChild(plan.start);
    const ended = new Promise<void>((resolve) => {
      this.#resolveOver = resolve;
    });
    this.over = Promise.all([ended, this.#child.exited]);
    const starvation = new StarvationWatch(this.#child.pid);
    this.#heartbeat = new Heartbeat({
      ping: (n, onWritten) => this.#channel?.send({ type: 'ping', n }, undefined, onWritten),
      receiving: () => this.#channel?.receiving() ?? false,
      missed: () => starvation.begin(),
      starving: () => starvation.isStarving(),
      hung: (reason) => this.fail(reason),
    });
    void this.#child.exited.then((exit) => this.#exited(exit));
    const { channel } = this.#child;
    if (channel === undefined) return;
    const incarnation = randomBytes(16).toString('base64url');
    this.#channel = new Channel(channel, incarnation, plan.limits, {
      message: (message, body) => this.#received(message, body),
      fault: (reason) => this.fail(`protocol fault: ${reason}`),
      closed: () => this.#channelClosed(),
    });
    const seconds = plan.startDeadlineMs / 1000;
    this.#startDeadline = setTimeout(
      () => this.fail(`it was not ready within ${seconds} s`),
      plan.startDeadlineMs,
    ).unref();
    this.#greet(plan, orphans);
  }

  /** Runs may be sent: it is ready and nothing has been seen of its end. */
  get open(): boolean {
    return this.#phase === 'ready';
  }

  /** Sends a message about a run, or `bye`. Throws RangeError or ZodError, then nothing was sent. */
  send(message: Outgoing, body?: Uint8Array): void {
    this.#channel?.send(message, body);
  }

  /** Sets the pace of the heartbeat. */
  setBusy(busy: boolean): void {
    this.#heartbeat.setBusy(busy);
  }

  /** Asks the child to end its runs and itself; from here on silence is no hang. */
  dismiss(graceMs: number): void {
    this.#dismissed = true;
    this.#heartbeat.stop();
    this.send({ type: 'bye', graceMs });
  }

  /** Ends the child with SIGKILL and the session with this reason. */
  fail(reason: string): void {
    this.#end(reason);
  }

  #greet({ limits, fence, minFence, fenceOptions }: SessionPlan, orphans: readonly Orphan[]): void {
    const demand = minFence === undefined ? {} : { minFence };
    try {
      this.send({ type: 'hello', limits, fence, ...demand, fenceOptions, orphans: [...orphans] });
    } catch {
      // The owner does not hold this session yet, so its end waits for the turn to be over.
      queueMicrotask(() => this.fail('its hello cannot be sent'));
    }
  }

  #received(message: FromChild, body: Buffer): void {
    const impossible = this.#handle(message, body);
    if (impossible !== undefined) this.fail(`protocol fault: ${impossible}`);
  }

  /** Returns why the message is impossible at this moment, or undefined. */
  #handle(message: FromChild, body: Buffer): string | undefined {
    if (message.type !== 'finished' && body.byteLength > 0) return `a body behind ${message.type}`;
    if ((message.type === 'ready') !== (this.#readyAt === undefined)) return `${message.type} out of turn`;
    switch (message.type) {
      case 'ready':
        if (message.pid !== this.#child.pid) return 'ready of another process';
        this.#becomeReady(message.fence);
        return undefined;
      case 'pong':
        return this.#heartbeat.pong(message.n) ? undefined : 'pong without ping';
      default:
        return this.#owner.news(message, body);
    }
  }

  #becomeReady(fence: FenceReport): void {
    clearTimeout(this.#startDeadline);
    this.#readyAt = performance.now();
    // It may have said so with its last breath.
    if (this.#phase !== 'starting') return;
    this.#phase = 'ready';
    this.#heartbeat.start();
    this.#owner.ready(fence);
  }

  #exited(exit: Exit): void {
    this.#exit = exit;
    this.#lastWord();
  }

  #channelClosed(): void {
    this.#channelOver = true;
    this.#lastWord();
  }

  /** Everything that was written before an exit is still read, since the last result may be among it. */
  #lastWord(): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ending';
    this.#heartbeat.stop();
    // An immediate comes after one more look at the pipes, however late we are ourselves.
    const end = () => setImmediate(() => this.#end(this.#howItEnded()));
    if (this.#exit !== undefined && (this.#channelOver || this.#channel === undefined)) end();
    else this.#lastWords ??= setTimeout(end, LAST_WORDS_MS).unref();
  }

  #howItEnded(): string {
    const parts = [
      this.#exit?.text,
      this.#channel?.incomplete ? 'its channel ended within a message' : undefined,
    ];
    return parts.filter((part) => part !== undefined).join(', ') || 'it closed its channel';
  }

  #end(reason: string): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    clearTimeout(this.#startDeadline);
    clearTimeout(this.#lastWords);
    this.#heartbeat.stop();
    this.#channel?.destroy();
    this.#child.kill();
    const said = this.#child.lastLine();
    this.#owner.ended({
      reason: said === undefined ? reason : `${reason} (${said})`,
      clean: this.#dismissed && this.#exit?.clean === true,
      readyForMs: this.#readyAt === undefined ? 0 : performance.now() - this.#readyAt,
    });
    this.#resolveOver();
  }
}
