/** Why a run is ended before its program ended by itself. */
export type TerminationReason = 'deadline' | 'cancel' | 'closing' | 'front-lost';

/** The wish to end one run. The first reason wins; later ones change nothing. */
export class Termination {
  readonly wanted: Promise<void>;
  #reason: TerminationReason | undefined;
  #graceMs: number;
  #resolve: () => void = () => {};

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
    this.wanted = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get reason(): TerminationReason | undefined {
    return this.#reason;
  }

  /** Between SIGTERM and SIGKILL, ms. */
  get graceMs(): number {
    return this.#graceMs;
  }

  /** `graceMs` takes the place of the instance's own grace. */
  request(reason: TerminationReason, graceMs = this.#graceMs): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#graceMs = graceMs;
    this.#resolve();
  }
}
