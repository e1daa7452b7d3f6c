/** Far beyond any wait; the timer only exists to be counted by the event loop. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Keeps the caller's process alive exactly while something is pending. Everything else of the client (child,
 * socket, pipe, timers) is unreferenced for good, so this is the only place that can hold a process open.
 */
export class KeepAlive {
  #timer: NodeJS.Timeout | undefined;

  set(pending: boolean): void {
    if (pending) {
      this.#timer ??= setInterval(() => {}, NEVER_MS);
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
