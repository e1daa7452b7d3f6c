const NEWLINE = 0x0a;

/** One line without its newline, or the size of a line that was thrown away because it was over the limit. */
export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  | { readonly kind: 'too-long'; readonly size: number };

/**
 * Cuts a stream of chunks into lines, as bytes: a character that is split over two chunks stays whole. A line
 * over `maxBytes` is discarded while it arrives, so it never costs more memory than the limit.
 */
export class LineReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes one chunk and returns the lines that it completed. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#finish());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): Line | undefined {
    return this.#size === 0 ? undefined : this.#finish();
  }

  #keep(piece: Buffer): void {
    if (piece.byteLength === 0) return;
    this.#size += piece.byteLength;
    if (this.#size > this.#maxBytes) this.#chunks = [];
    else this.#chunks.push(piece);
  }

  #finish(): Line {
    const size = this.#size;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    if (size > this.#maxBytes) return { kind: 'too-long', size };
    return { kind: 'line', bytes: Buffer.concat(chunks, size) };
  }
}
