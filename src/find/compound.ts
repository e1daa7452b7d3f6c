/** Most parts of a compound: longer chains are paths and dumps. */
const MAX_PARTS = 8;

/** Longest compound, UTF-16 units. */
const MAX_UNITS = 64;

/** What joins two words to one name when it stands between them alone. */
const JOINERS = new Set(['-', '_', '.']);

/** Takes a word as it is indexed, in lower case, and as it stands in the text, which differs for compounds. */
export type VisitWord = (word: string, written: string) => void;

/** Passes words on and, where several are joined to one name, that name as well: `multi-agent` is `multiagent` too. */
export class Compound {
  readonly #source: string;
  readonly #visit: VisitWord;
  #joined = '';
  #parts = 0;
  #start = 0;
  #end = 0;

  constructor(source: string, visit: VisitWord) {
    this.#source = source;
    this.#visit = visit;
  }

  /** The part stands in the source from `start` to `end`. */
  addPart(word: string, start: number, end: number): void {
    this.#visit(word, word);
    if (this.#parts === 0) this.#start = start;
    this.#end = end;
    this.#parts += 1;
    if (this.#joined.length <= MAX_UNITS) this.#joined += word;
  }

  /** A script without spaces has no compounds; its pairs stand for themselves. */
  visitPairs(start: number, end: number): void {
    this.end();
    const characters = [...this.#source.slice(start, end)];
    if (characters.length === 1) this.#visit(characters.join(''), characters.join(''));
    for (let index = 1; index < characters.length; index++) {
      const pair = `${characters[index - 1]}${characters[index]}`;
      this.#visit(pair, pair);
    }
  }

  /** What stands between two words: a single joiner keeps them together. */
  separate(start: number, end: number): void {
    if (end - start === 1 && JOINERS.has(this.#source.charAt(start))) return;
    this.end();
  }

  /** The name ends here. */
  end(): void {
    if (this.#parts > 1 && this.#parts <= MAX_PARTS && this.#joined.length <= MAX_UNITS) {
      this.#visit(this.#joined, this.#source.slice(this.#start, this.#end).toLowerCase());
    }
    this.#joined = '';
    this.#parts = 0;
  }
}
