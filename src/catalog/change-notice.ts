/** Changes that follow each other this closely are one burst: an editor writes several files, a checkout hundreds, ms. */
const QUIET_MS = 150;
/** A burst that does not end is told of all the same after this, ms. */
const LONGEST_BURST_MS = 2_000;

/** Tells listeners of changes, once for each burst of them. */
export class ChangeNotice {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #burstSinceMs = 0;

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener; returns the way to take it off again. */
  add(listener: () => void): () => void {
    // Wrapped, so that one function can listen twice and leave once.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Says that something has changed; listeners hear of it when the burst is over. */
  announce(): void {
    if (!this.hasListeners) return;
    const nowMs = performance.now();
    if (this.#timer === undefined) this.#burstSinceMs = nowMs;
    const waitMs = Math.max(0, Math.min(QUIET_MS, this.#burstSinceMs + LONGEST_BURST_MS - nowMs));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), waitMs);
    this.#timer.unref();
  }

  /** Tells nobody any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }

  #tell(): void {
    this.#timer = undefined;
    for (const listener of this.#listeners) listener();
  }
}
