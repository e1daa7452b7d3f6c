/** Waits before the next start, ms, by the number of deaths in a row; the last one repeats. */
const DELAYS_MS = [0, 100, 400, 1_600, 6_400, 10_000] as const;
const LONGEST_DELAY_MS = 10_000;

/** A supervisor that was ready for this long proved healthy: its death starts a new count. */
const HEALTHY_MS = 60_000;

/** This many deaths within the window are no accident any more. */
const MAX_DEATHS = 5;
const WINDOW_MS = 60_000;

/** When the next start may happen: at `at`, or never before `at` because of too many deaths. */
export interface StartVerdict {
  readonly kind: 'start' | 'refuse';
  /** On the clock that was handed to `died` and `next`, ms. */
  readonly at: number;
}

/** Decides when a supervisor may be started again. Pure: every moment is handed in, in milliseconds. */
export class RestartPolicy {
  /** Moments of the last deaths, oldest first, never more than MAX_DEATHS. */
  #deaths: number[] = [];
  #inARow = 0;

  /** Records a death at `now` of a supervisor that had been ready for `readyForMs`. */
  died(now: number, readyForMs: number): void {
    if (readyForMs >= HEALTHY_MS) {
      this.#deaths = [];
      this.#inARow = 0;
    }
    this.#inARow += 1;
    this.#deaths = [...this.#deaths, now].slice(-MAX_DEATHS);
  }

  next(now: number): StartVerdict {
    const recent = this.#deaths.filter((death) => now - death < WINDOW_MS);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= MAX_DEATHS)
      return { kind: 'refuse', at: oldest + WINDOW_MS };
    const last = this.#deaths.at(-1);
    if (last === undefined) return { kind: 'start', at: now };
    return { kind: 'start', at: Math.max(now, last + (DELAYS_MS[this.#inARow - 1] ?? LONGEST_DELAY_MS)) };
  }
}
