import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import { encodeFrame, type Frame, FrameFault, FrameReader } from '../frame.js';
import {
  FromChild,
  type Limits,
  maxBodyFromChild,
  maxBodyToChild,
  PROTOCOL_VERSION,
  ToChild,
} from '../protocol.js';

type WithoutEnvelope<T> = T extends unknown ? Omit<T, 'v' | 'incarnation'> : never;

/** A message to the child before the channel has put its envelope round it. */
export type Outgoing = WithoutEnvelope<ToChild>;

/** Whoever owns the channel. After `fault` or `closed` nothing more is delivered. */
export interface ChannelOwner {
  message(message: FromChild, body: Buffer): void;
  /** The bytes break the contract: the child is not to be trusted with another word. */
  fault(reason: string): void;
  /** The other end is closed. */
  closed(): void;
}

/** The framed socket to one child: every message is parsed by the contract, both on its way out and in. */
export class Channel {
  readonly #socket: Duplex;
  readonly #incarnation: string;
  readonly #maxBodyOut: number;
  readonly #reader: FrameReader;
  readonly #owner: ChannelOwner;
  #bytesInside = 0;
  #over = false;

  constructor(socket: Duplex, incarnation: string, limits: Limits, owner: ChannelOwner) {
    this.#socket = socket;
    this.#incarnation = incarnation;
    this.#maxBodyOut = maxBodyToChild(limits);
    this.#reader = new FrameReader(maxBodyFromChild(limits));
    this.#owner = owner;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // EPIPE and ECONNRESET are how a death looks from here; 'close' always follows.
    socket.on('error', () => {});
    socket.once('close', () => {
      if (this.#over) return;
      this.#over = true;
      owner.closed();
    });
  }

  /** Sends one message. Throws RangeError (too large) or ZodError (against the contract), then nothing was sent. */
  send(outgoing: Outgoing, body?: Uint8Array, onWritten?: () => void): void {
    const message = ToChild.parse({ v: PROTOCOL_VERSION, incarnation: this.#incarnation, ...outgoing });
    const pieces = encodeFrame(message, body, this.#maxBodyOut);
    if (this.#over || this.#socket.destroyed) return;
    this.#socket.cork();
    for (const piece of pieces.slice(0, -1)) this.#socket.write(piece);
    this.#socket.write(pieces.at(-1), (error) => {
      if (!error) onWritten?.();
    });
    this.#socket.uncork();
  }

  /** True while what arrived so far ends inside a message. */
  get incomplete(): boolean {
    return this.#reader.incomplete;
  }

  /** True when bytes of a message that is still unfinished arrived since the last call. */
  receiving(): boolean {
    const moved = this.#reader.incomplete && this.#bytesInside > 0;
    this.#bytesInside = 0;
    return moved;
  }

  /** Lets go of the socket; the owner hears nothing more. */
  destroy(): void {
    this.#over = true;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#over) return;
    this.#bytesInside += chunk.byteLength;
    try {
      for (const frame of this.#reader.push(chunk)) {
        this.#deliver(frame);
        // Handling a message may have ended the channel.
        if (this.#over) return;
      }
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.#break(error.message);
    }
  }

  #deliver({ header, body }: Frame): void {
    const parsed = FromChild.safeParse(header);
    if (!parsed.success) this.#break(describeIssue(parsed.error));
    else if (parsed.data.incarnation !== this.#incarnation) this.#break('a message of another incarnation');
    else this.#owner.message(parsed.data, body);
  }

  #break(reason: string): void {
    this.#over = true;
    this.#owner.fault(reason);
  }
}

/** Names the place and the rule, never the received value. */
function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const place = issue?.path.join('.') || 'message';
  return `a message against the contract (${place}: ${issue?.code ?? 'invalid'})`;
}
