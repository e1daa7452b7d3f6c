import type { z } from 'zod';
import type { Frame } from '../frame.js';
import {
  type FromChild,
  type HelloMessage,
  PROTOCOL_VERSION,
  type RunMessage,
  ToChild,
} from '../protocol.js';
import { findRefusal } from './admission.js';
import { Channel } from './channel.js';
import { EXIT } from './exit-code.js';
import { type ChosenFence, chooseFence, type FenceVerdict, refuseFence } from './fence/choose.js';
import { testFence } from './fence/self-test.js';
import { LiveRuns } from './live-runs.js';
import { endOrphans } from './orphans.js';
import { type Outcome, run } from './run.js';
import { type Place, Slots } from './slots.js';
import { Termination } from './termination.js';

/** Nobody waits for a result any more: a program gets at most this long to go by itself, ms. */
const HURRIED_GRACE_MS = 1000;

const SHUTTING_DOWN: Outcome = {
  type: 'refused',
  code: 'shutting-down',
  message: 'the supervisor is closing',
};

type Hello = z.infer<typeof HelloMessage>;
/** What goes out, without the envelope that every message shares. */
type Reply = FromChild extends infer M ? (M extends FromChild ? Omit<M, 'v' | 'incarnation'> : never) : never;

export interface DispatcherOptions {
  readonly verdict: FenceVerdict;
  /** Descriptors that programs must not inherit. */
  readonly blockedSlots: readonly number[];
  /** Ends this process; `why` is one line for the log. */
  exit(code: number, why?: string): never;
}

/** Everything that was agreed in `hello`. */
interface Session {
  readonly hello: Hello;
  fence: ChosenFence;
  readonly slots: Slots;
}

interface PendingRun {
  readonly termination: Termination;
  place: Place | undefined;
}

/** Turns messages into runs and outcomes into messages; holds no policy of its own. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #channel: Channel;
  readonly #live = new LiveRuns();
  readonly #pending = new Map<number, PendingRun>();
  #session: Session | undefined;
  /** Messages that came while a predecessor's orphans were being ended. */
  #early: Array<() => void> | undefined = [];
  #closing = false;
  #idle: () => void = () => {};

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#channel = new Channel({
      onFrame: (frame) => this.#receive(frame),
      onFault: (message) => this.#fault(message),
      onClose: () => this.closeSoon('front-lost', EXIT.frontLost),
    });
  }

  /** SIGKILL to every program, now and without waiting. */
  killAll(): void {
    this.#live.killAll();
  }

  /** As `close`, when nobody is left to wait for a patient end. */
  closeSoon(reason: 'closing' | 'front-lost', exitCode: number): void {
    const graceMs = this.#session?.hello.limits.graceMs ?? 0;
    this.close(reason, Math.min(graceMs, HURRIED_GRACE_MS), exitCode);
  }

  /** Takes no more work, walks the ladder for every run, sends what is to be sent, and ends the process. */
  close(reason: 'closing' | 'front-lost', graceMs: number, exitCode: number): void {
    if (this.#closing) return;
    this.#closing = true;
    const idle = new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
    for (const id of [...this.#pending.keys()]) this.#end(id, reason, graceMs);
    this.#settleIfIdle();
    void idle.then(() => this.#channel.end(() => this.#options.exit(exitCode)));
  }

  #receive(frame: Frame): void {
    const parsed = ToChild.safeParse(frame.header);
    const session = this.#session;
    if (!parsed.success) this.#fault('a message of unknown shape or version');
    else if (parsed.data.type === 'hello') this.#greet(parsed.data);
    else if (session === undefined) this.#fault('a message before hello');
    else this.#dispatch(session, parsed.data, frame.body);
  }

  #dispatch(session: Session, message: Exclude<ToChild, { type: 'hello' }>, body: Buffer): void {
    if (message.incarnation !== session.hello.incarnation) {
      this.#fault('a foreign incarnation');
    } else if (message.type === 'run') {
      this.#whenReady(() => this.#admit(session, message, body));
    } else if (body.byteLength > 0) {
      this.#fault('a body where none belongs');
    } else if (message.type === 'cancel') {
      this.#whenReady(() => this.#end(message.id, 'cancel'));
    } else if (message.type === 'ping') {
      this.#send({ type: 'pong', n: message.n });
    } else {
      this.close('closing', message.graceMs, EXIT.done);
    }
  }

  #greet(hello: Hello): void {
    if (this.#session !== undefined) {
      this.#fault('a second hello');
      return;
    }
    this.#channel.setLimits(hello.limits);
    const slots = new Slots(hello.limits.slots, hello.limits.whenFull);
    const session: Session = { hello, fence: chooseFence(this.#options.verdict, hello), slots };
    this.#session = session;
    void this.#prepare(session).then(() => {
      this.#send({ type: 'ready', pid: process.pid, fence: session.fence.report });
      const early = this.#early ?? [];
      this.#early = undefined;
      for (const act of early) act();
    });
  }

  /** What a predecessor left is ended first: a user of the runs alone must be alone. */
  async #prepare(session: Session): Promise<void> {
    await endOrphans(session.hello.orphans, session.fence.containment);
    const { verdict, blockedSlots } = this.#options;
    const ground = { blockedSlots, searchPath: verdict.searchPath, node: process.execPath };
    const fault = await testFence(session.fence, session.hello.fenceOptions, ground);
    if (fault !== undefined) session.fence = refuseFence(session.fence, fault);
  }

  #whenReady(act: () => void): void {
    if (this.#early === undefined) act();
    else this.#early.push(act);
  }

  /** Refuses, queues or starts a run; the slot is taken before this returns. */
  #admit(session: Session, request: RunMessage, stdin: Buffer): void {
    const { id } = request;
    if (this.#pending.has(id)) this.#fault('an id that is in flight already');
    const refusal = this.#closing ? SHUTTING_DOWN : findRefusal(request, stdin, session);
    if (refusal !== undefined) {
      this.#answer(id, refusal);
      return;
    }
    const pending: PendingRun = {
      termination: new Termination(session.hello.limits.graceMs),
      place: undefined,
    };
    this.#pending.set(id, pending);
    pending.place = session.slots.enter(() => this.#execute(session, request, stdin, pending));
    if (pending.place === undefined) {
      this.#settle(id, { type: 'refused', code: 'busy', message: 'another program is running' });
    }
  }

  #execute(session: Session, request: RunMessage, stdin: Buffer, pending: PendingRun): void {
    const { id } = request;
    const { containment } = session.fence;
    const outcome = run({
      request,
      stdin,
      limits: session.hello.limits,
      fence: session.fence,
      blockedSlots: this.#options.blockedSlots,
      searchPath: this.#options.verdict.searchPath,
      termination: pending.termination,
      onSpawned: (subject) => this.#live.set(id, subject, containment),
      onStarted: (subject) => {
        this.#live.set(id, subject, containment);
        const { leader, init } = subject;
        this.#send({ type: 'started', id, leader, ...(init === undefined ? {} : { init }) });
      },
      onTail: (tail) => {
        if (!this.#channel.congested) this.#send({ type: 'tail', id, ...tail });
      },
      freeSlot: () => {
        this.#live.delete(id);
        session.slots.free();
      },
    });
    void outcome.then((result) => this.#settle(id, result));
  }

  /** Ends a run that is in flight, or takes it out of the queue. */
  #end(id: number, reason: 'cancel' | 'closing' | 'front-lost', graceMs?: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return; // its result has crossed the wish on the way
    if (pending.place?.leave()) {
      const code = reason === 'cancel' ? 'busy' : 'shutting-down';
      this.#settle(id, { type: 'refused', code, message: 'it was ended while it waited for a slot' });
    } else {
      pending.termination.request(reason, graceMs);
    }
  }

  #settle(id: number, outcome: Outcome): void {
    this.#pending.delete(id);
    this.#answer(id, outcome);
    this.#settleIfIdle();
  }

  #settleIfIdle(): void {
    if (this.#closing && this.#pending.size === 0) this.#idle();
  }

  #answer(id: number, outcome: Outcome): void {
    if (outcome.type === 'finished') {
      this.#send({ type: 'finished', id, ...outcome.fields }, outcome.body);
    } else {
      this.#send({ type: 'refused', id, code: outcome.code, message: outcome.message });
    }
  }

  #send(reply: Reply, body?: Buffer): void {
    const session = this.#session;
    if (session === undefined) return;
    const envelope = { v: PROTOCOL_VERSION, incarnation: session.hello.incarnation } as const;
    this.#channel.send({ ...envelope, ...reply }, body);
  }

  /** The other side is not to be understood: nothing that it asked for may go on. */
  #fault(why: string): never {
    this.killAll();
    this.#options.exit(EXIT.protocolFault, `protocol fault: ${why}`);
  }
}
