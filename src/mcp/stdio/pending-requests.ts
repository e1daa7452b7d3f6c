import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** A subscription stays open for the life of the connection; waiting for its answer would wait for ever. */
const OPEN_ENDED_METHOD = 'subscriptions/listen';

/** The requests that were read and not answered yet. */
export class PendingRequests {
  readonly #open = new Set<string>();
  #waiters: (() => void)[] = [];

  /** Notes an incoming message: a request opens, a cancellation settles. */
  receive(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method !== OPEN_ENDED_METHOD) this.#open.add(JSON.stringify(message.id));
    } else if (message.method === 'notifications/cancelled') {
      this.#settle(message.params?.requestId);
    }
  }

  /** Notes an outgoing message: an answer settles its request. */
  send(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#settle(message.id);
  }

  /** Resolves when nothing is open, or after `timeoutMs`. */
  async settled(timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#waiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #settle(id: unknown): void {
    this.#open.delete(JSON.stringify(id) ?? '');
    if (this.#open.size > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
