/** Most parts of a compound: longer chains are paths and dumps. */
const MAX_PARTS = 8;

/** Longest compound, UTF-16 units. */
const MAX_UNITS = 64;

/** What joins two words to one name when it stands between them alone. */
const JOINERS = new Set(['-', '_', '.']);

/** Passes words on and, where several are joined to one name, that name as well: `multi-agent` is `multiagent` too. */
export class Compound {
  readonly #visit: (word: string) => void;
  #joined = '';
  #parts = 0;

  constructor(visit: (word: string) => void) {
    this.#visit = visit;
  }

  addPart(word: string): void {
    this.#visit(word);
    this.#parts += 1;
    if (this.#joined.length <= MAX_UNITS) this.#joined += word;
  }

  /** A script without spaces has no compounds; its pairs stand for themselves. */
  visitPairs(run: string): void {
    this.end();
    const characters = [...run];
    if (characters.length === 1) this.#visit(run);
    for (let index = 1; index < characters.length; index++) {
      this.#visit(`${characters[index - 1]}${characters[index]}`);
    }
  }

  /** What stands between two words: a single joiner keeps them together. */
  separate(source: string, start: number, end: number): void {
    if (end - start === 1 && JOINERS.has(source.charAt(start))) return;
    this.end();
  }

  /** The name ends here. */
  end(): void {
    if (this.#parts > 1 && this.#parts <= MAX_PARTS && this.#joined.length <= MAX_UNITS)
      this.#visit(this.#joined);
    this.#joined = '';
    this.#parts = 0;
  }
}
