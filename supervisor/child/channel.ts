import { Socket } from 'node:net';
import { encodeFrame, type Frame, FrameFault, FrameReader } from '../frame.js';
import {
  CHANNEL_FD,
  type FromChild,
  type Limits,
  MAX_HEADER_BYTES,
  maxBodyFromChild,
  maxBodyToChild,
} from '../protocol.js';

/** Length prefix of a frame, bytes. */
const PREFIX_BYTES = 8;

/** Unsent bytes above which a `tail` is not worth sending: the front does not read. */
const CONGESTED_BYTES = 256 * 1024;

/** The last words must go out, but a front that does not read shall not keep us, ms. */
const FLUSH_LIMIT_MS = 1000;

export interface ChannelEvents {
  onFrame(frame: Frame): void;
  /** Bytes that are no frame. */
  onFault(message: string): void;
  /** The other side closed, or is gone. */
  onClose(): void;
}

/** Our end of the socket to the front: whole frames in, whole frames out. */
export class Channel {
  readonly #socket: Socket;
  readonly #events: ChannelEvents;
  #first: Buffer | undefined = Buffer.alloc(0);
  #reader = new FrameReader(0);
  #maxBodyOut = 0;
  #closed = false;

  constructor(events: ChannelEvents) {
    this.#events = events;
    this.#socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', () => this.#close());
    this.#socket.on('end', () => this.#close());
    this.#socket.on('close', () => this.#close());
  }

  /** From the second frame on, bodies may be as large as these limits say. */
  setLimits(limits: Limits): void {
    this.#reader = new FrameReader(maxBodyToChild(limits));
    this.#maxBodyOut = maxBodyFromChild(limits);
  }

  get congested(): boolean {
    return this.#socket.writableLength > CONGESTED_BYTES;
  }

  send(message: FromChild, body?: Uint8Array): void {
    if (this.#closed || this.#socket.destroyed) return;
    this.#socket.cork();
    for (const piece of encodeFrame(message, body, this.#maxBodyOut)) this.#socket.write(piece);
    this.#socket.uncork();
  }

  /** Sends what is still to be sent, then calls back; at the latest after a second. */
  end(done: () => void): void {
    const timer = setTimeout(done, FLUSH_LIMIT_MS);
    this.#socket.end(() => {
      clearTimeout(timer);
      done();
    });
  }

  #receive(chunk: Buffer): void {
    if (this.#closed) return;
    try {
      const rest = this.#first === undefined ? chunk : this.#receiveFirst(this.#first, chunk);
      if (rest.byteLength === 0) return;
      for (const frame of this.#reader.push(rest)) this.#events.onFrame(frame);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.#events.onFault(error.message);
    }
  }

  /** The first frame tells the limits by which the following ones are read, so it is cut off by itself. */
  #receiveFirst(before: Buffer, chunk: Buffer): Buffer {
    const bytes = before.byteLength === 0 ? chunk : Buffer.concat([before, chunk]);
    this.#first = bytes;
    if (bytes.byteLength < PREFIX_BYTES) return Buffer.alloc(0);
    const headerBytes = Math.min(bytes.readUInt32BE(0), MAX_HEADER_BYTES);
    const end = bytes.readUInt32BE(4) > 0 ? PREFIX_BYTES : PREFIX_BYTES + headerBytes;
    if (bytes.byteLength < end) return Buffer.alloc(0);
    this.#first = undefined;
    for (const frame of this.#reader.push(bytes.subarray(0, end))) this.#events.onFrame(frame);
    return bytes.subarray(end);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#events.onClose();
  }
}
