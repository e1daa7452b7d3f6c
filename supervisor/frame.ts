import { MAX_HEADER_BYTES } from './protocol.js';

/** Two big-endian u32: header length, body length. */
const PREFIX_BYTES = 8;

/** One frame as it came off the wire: the header is JSON of unknown shape, still to be parsed by the contract. */
export interface Frame {
  readonly header: unknown;
  readonly body: Buffer;
}

/** Bytes that are no frame. The channel is beyond repair: whoever receives them ends the other side. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault';
}

/**
 * Serialises one frame. Returns the pieces instead of one copy: a body may be tens of megabytes.
 * Throws RangeError when the header is over MAX_HEADER_BYTES or the body over `maxBodyBytes`: the sender
 * measures, so that only received bytes can ever be a fault.
 */
export function encodeFrame(header: object, body: Uint8Array | undefined, maxBodyBytes: number): Buffer[] {
  const head = Buffer.from(JSON.stringify(header), 'utf8');
  const bodyBytes = body?.byteLength ?? 0;
  if (head.byteLength > MAX_HEADER_BYTES) {
    throw new RangeError(`the request is ${head.byteLength} bytes, at most ${MAX_HEADER_BYTES} fit`);
  }
  if (bodyBytes > maxBodyBytes) {
    throw new RangeError(`the body is ${bodyBytes} bytes, at most ${maxBodyBytes} fit`);
  }
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32BE(head.byteLength, 0);
  prefix.writeUInt32BE(bodyBytes, 4);
  const pieces: Buffer[] = [prefix, head];
  if (body !== undefined && bodyBytes > 0) {
    pieces.push(Buffer.from(body.buffer, body.byteOffset, bodyBytes));
  }
  return pieces;
}

/** Cuts a stream of chunks into frames; lengths are judged before anything is kept. */
export class FrameReader {
  readonly #maxBodyBytes: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #headerBytes = -1;
  #bodyBytes = -1;
  #fault: FrameFault | undefined;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** True while the bytes so far end inside a frame. */
  get incomplete(): boolean {
    return this.#buffered > 0 || this.#headerBytes >= 0;
  }

  /**
   * Takes one chunk; iterating yields the frames that it completed, one by one: whole frames ahead of broken
   * bytes still arrive. Iterating throws FrameFault, then and ever after.
   */
  push(chunk: Buffer): Iterable<Frame> {
    if (this.#fault === undefined && chunk.byteLength > 0) {
      this.#chunks.push(chunk);
      this.#buffered += chunk.byteLength;
    }
    return this.#cut();
  }

  *#cut(): Generator<Frame, void, undefined> {
    if (this.#fault !== undefined) throw this.#fault;
    for (;;) {
      if (this.#headerBytes < 0) {
        if (this.#buffered < PREFIX_BYTES) return;
        this.#readPrefix(this.#take(PREFIX_BYTES));
      }
      if (this.#buffered < this.#headerBytes + this.#bodyBytes) return;
      const head = this.#take(this.#headerBytes);
      const body = this.#take(this.#bodyBytes);
      this.#headerBytes = -1;
      this.#bodyBytes = -1;
      const header = parseHeader(head);
      if (header === BROKEN) this.#fail('a header that is not JSON in UTF-8');
      yield { header, body };
    }
  }

  /** What follows broken bytes has no known boundary: nothing more is kept or read. */
  #fail(reason: string): never {
    this.#chunks = [];
    this.#buffered = 0;
    this.#headerBytes = -1;
    this.#fault = new FrameFault(reason);
    throw this.#fault;
  }

  #readPrefix(prefix: Buffer): void {
    const headerBytes = prefix.readUInt32BE(0);
    const bodyBytes = prefix.readUInt32BE(4);
    if (headerBytes === 0 || headerBytes > MAX_HEADER_BYTES) {
      this.#fail(`a header of ${headerBytes} bytes, at most ${MAX_HEADER_BYTES} are allowed`);
    }
    if (bodyBytes > this.#maxBodyBytes) {
      this.#fail(`a body of ${bodyBytes} bytes, at most ${this.#maxBodyBytes} are allowed`);
    }
    this.#headerBytes = headerBytes;
    this.#bodyBytes = bodyBytes;
  }

  /** Removes the first `size` bytes. Joins chunks only once a whole frame is there. */
  #take(size: number): Buffer {
    if (size === 0) return Buffer.alloc(0);
    const joined = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks, this.#buffered);
    const whole = joined ?? Buffer.alloc(0);
    this.#chunks = whole.byteLength > size ? [whole.subarray(size)] : [];
    this.#buffered -= size;
    return whole.subarray(0, size);
  }
}

const BROKEN = Symbol('not JSON');

function parseHeader(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return BROKEN;
  }
}
