import { toOneLine } from '../../errors/sanitize.js';
import type { ToolCall } from '../tool.js';

/** Often enough for a client that waits, rare enough not to be noise, ms. */
const INTERVAL_MS = 1_000;
const MAX_LINE_CHARACTERS = 200;

/** Tells a client that asked for it how long a run has taken and what it printed last. */
export class RunProgress {
  readonly #send: NonNullable<ToolCall['progress']>;
  #timer: NodeJS.Timeout | undefined;
  #line = '';

  constructor(send: NonNullable<ToolCall['progress']>) {
    this.#send = send;
  }

  /** Begins to report, once a second, in seconds of the run's time budget. */
  start(timeoutMs: number): void {
    const startedMs = performance.now();
    this.#timer = setInterval(() => {
      this.#send({
        progress: Math.round((performance.now() - startedMs) / 100) / 10,
        total: timeoutMs / 1_000,
        ...(this.#line !== '' && { message: this.#line }),
      });
    }, INTERVAL_MS);
  }

  /** Remembers the last line of output for the next report. */
  show(line: string): void {
    this.#line = toOneLine(line, MAX_LINE_CHARACTERS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
