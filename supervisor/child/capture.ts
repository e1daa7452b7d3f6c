import type { Socket } from 'node:net';

/** What a last line is looked for in; bounds the copying for each chunk, bytes. */
const LOOK_BACK_BYTES = 8 * 1024;

export interface Captured {
  /** The first bytes, at most the cap. */
  readonly kept: Buffer;
  /** Bytes that came, kept or not. */
  readonly total: number;
}

/** Keeps the first bytes of one stream and counts the rest; the stream is never paused. */
export class Capture {
  readonly ended: Promise<void>;
  readonly #stream: Socket;
  readonly #cap: number;
  readonly #followsTail: boolean;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #last = Buffer.alloc(0);

  /** With `followsTail` the latest bytes stay in reach, for `readTail`. */
  constructor(stream: Socket, capBytes: number, followsTail: boolean) {
    this.#stream = stream;
    this.#cap = capBytes;
    this.#followsTail = followsTail;
    this.ended = new Promise((resolve) => {
      stream.once('end', resolve);
      stream.once('close', resolve);
    });
    stream.on('data', this.#take);
  }

  /** Exact at any time: it is the socket's own count. */
  get total(): number {
    return this.#stream.bytesRead;
  }

  get result(): Captured {
    return { kept: Buffer.concat(this.#chunks, this.#kept), total: this.total };
  }

  /** The latest bytes, for a line that shows that something goes on. */
  readTail(): Buffer {
    return this.#last;
  }

  readonly #take = (chunk: Buffer): void => {
    if (this.#followsTail) this.#last = joinEnd(this.#last, chunk);
    const room = this.#cap - this.#kept;
    if (room > 0) {
      const piece = chunk.byteLength > room ? chunk.subarray(0, room) : chunk;
      this.#chunks.push(piece);
      this.#kept += piece.byteLength;
    }
    if (this.#kept >= this.#cap && !this.#followsTail) {
      // Without a listener the stream throws its bytes away by itself; it must only be told to flow on.
      this.#stream.off('data', this.#take);
      this.#stream.resume();
    }
  };
}

/** The last bytes of both, in a buffer of their own: a slice would keep the whole chunk alive. */
function joinEnd(before: Buffer, chunk: Buffer): Buffer<ArrayBuffer> {
  const end = chunk.subarray(-LOOK_BACK_BYTES);
  const room = LOOK_BACK_BYTES - end.byteLength;
  return Buffer.concat([before.subarray(before.byteLength - Math.min(room, before.byteLength)), end]);
}
