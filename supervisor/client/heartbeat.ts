/** Between pings while a run is in flight / while idle, ms. */
const BUSY_INTERVAL_MS = 200;
const IDLE_INTERVAL_MS = 1_000;

/** An answer takes well under a millisecond; 200 + 2 x 200 + 80 keeps a hang's detection below 700 ms. */
const ANSWER_MS = 80;

/** A tick this late says that we were busy or asleep: then silence proves nothing about the child. */
const LATE_MS = 100;

/** Unanswered pings in a row that make a hang. */
const MISSES = 3;

/** A ping that cannot even be written for this long: the child has stopped reading. */
const STUCK_MS = 5_000;

/** A child that gets no processor is excused for so long and no longer. */
const EXCUSED_MS = 5_000;

/** What the heartbeat needs of a channel. */
export interface Pulse {
  /** Sends ping `n`; calls back once it has left this process. */
  ping(n: number, onWritten: () => void): void;
  /** True when bytes of an unfinished message arrived since the last call: its tail delays the answer. */
  receiving(): boolean;
  /** The first of several misses: from here on it counts how much of the processor the child gets. */
  missed(): void;
  /** True when the child could not have answered since then, because the machine gave it no time. */
  starving(): boolean;
  /** Called once: the child does not answer. */
  hung(reason: string): void;
}

/** Tells a hung or stopped child from a busy one. Its timers never keep the process alive. */
export class Heartbeat {
  readonly #pulse: Pulse;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #busy = false;
  #judging = false;
  #sent = 0;
  #sentAt = 0;
  #written = true;
  #answered = 0;
  #misses = 0;
  #firstMissAt = 0;

  constructor(pulse: Pulse) {
    this.#pulse = pulse;
  }

  start(): void {
    this.#beatIn(this.#interval);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Switches the pace; a run that begins does not wait for the slow tick of the idle time. */
  setBusy(busy: boolean): void {
    if (this.#busy === busy) return;
    this.#busy = busy;
    if (!busy || this.#stopped || this.#judging) return;
    this.#beatIn(Math.max(0, this.#sentAt + BUSY_INTERVAL_MS - performance.now()));
  }

  /** Takes the answer to ping `n`; false when no such ping was sent. */
  pong(n: number): boolean {
    if (n > this.#sent || n <= this.#answered) return false;
    this.#answered = n;
    this.#misses = 0;
    return true;
  }

  get #interval(): number {
    return this.#busy ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS;
  }

  #beatIn(delayMs: number): void {
    clearTimeout(this.#timer);
    const due = performance.now() + delayMs;
    this.#judging = false;
    this.#timer = setTimeout(() => this.#beat(due), delayMs).unref();
  }

  #beat(due: number): void {
    if (performance.now() - due >= LATE_MS) this.#misses = 0;
    // A ping that still waits in our own buffer says nothing about the child: no second one behind it.
    if (this.#written) {
      const n = this.#sent + 1;
      this.#sent = n;
      this.#sentAt = performance.now();
      this.#written = false;
      this.#pulse.ping(n, () => {
        this.#written = true;
      });
    }
    if (this.#stopped) return;
    this.#judging = true;
    const judgeAt = performance.now() + ANSWER_MS;
    // The immediate comes after the loop has polled the socket once more, so an answer that is there counts.
    this.#timer = setTimeout(() => setImmediate(() => this.#judge(judgeAt)), ANSWER_MS).unref();
  }

  #judge(due: number): void {
    if (this.#stopped) return;
    const now = performance.now();
    const receiving = this.#pulse.receiving();
    if (now - due >= LATE_MS) {
      this.#misses = 0;
      if (!this.#written) this.#sentAt = now;
    } else if (this.#written && this.#answered < this.#sent && !receiving) {
      this.#miss(now);
    }
    if (this.#misses >= MISSES) this.#hang(`it did not answer ${MISSES} pings`);
    else if (!this.#written && now - this.#sentAt >= STUCK_MS)
      this.#hang(`it read nothing for ${STUCK_MS} ms`);
    else this.#beatIn(this.#interval - ANSWER_MS);
  }

  #miss(now: number): void {
    this.#misses += 1;
    if (this.#misses === 1) {
      this.#firstMissAt = now;
      this.#pulse.missed();
    } else if (this.#misses >= MISSES && now - this.#firstMissAt < EXCUSED_MS && this.#pulse.starving()) {
      this.#misses = MISSES - 1;
    }
  }

  #hang(reason: string): void {
    this.stop();
    this.#pulse.hung(reason);
  }
}
