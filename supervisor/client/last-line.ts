/** Kept of a stream that nobody reads in full, bytes. */
const KEPT_BYTES = 4_096;

/** Longest line that is passed on, characters. */
const LINE_CHARACTERS = 200;

/** Keeps the end of a diagnostic stream and finds in it the line that says what went wrong. */
export class LastLine {
  #end: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.#end = Buffer.concat([this.#end, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
  }

  /** One line without control characters, at most 200 characters; undefined when nothing was said. */
  get text(): string | undefined {
    const lines = this.#end.toString('utf8').split('\n');
    const telling = lines.filter((line) => !isTrailer(line)).at(-1);
    return (
      telling
        ?.replace(/\p{C}+/gu, ' ')
        .trim()
        .slice(0, LINE_CHARACTERS) || undefined
    );
  }
}

/** Node ends the report of an uncaught error with stack frames, its fields and its own version. */
function isTrailer(line: string): boolean {
  return line.trim() === '' || /^\s|^Node\.js v|^[}\]]/.test(line);
}
