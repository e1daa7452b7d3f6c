/** Longest word that is told apart, UTF-16 units: what follows is a hash or an attack. */
const MAX_WORD_UNITS = 64;

/** Most parts of a compound: longer chains are paths and dumps. */
const MAX_PARTS = 8;

/** Longest compound, UTF-16 units. */
const MAX_COMPOUND_UNITS = 64;

/** What joins two words to one name when it stands between them alone. */
const JOINERS: ReadonlySet<string> = new Set(['-', '_', '.']);

/** Takes a word as it is indexed, in lower case, and as it stands in the text, which differs for compounds. */
export type VisitWord = (word: string, written: string) => void;

/** Passes words on and, where several are joined to one name, that name as well: `multi-agent` is `multiagent` too. */
export class WordRun {
  readonly #source: string;
  /** All of it in lower case; undefined where that moves characters. */
  readonly #lower: string | undefined;
  readonly #visit: VisitWord;
  #joined = '';
  #parts = 0;
  #start = 0;
  #end = 0;

  constructor(source: string, visit: VisitWord) {
    const lower = source.toLowerCase();
    this.#source = source;
    this.#lower = lower.length === source.length ? lower : undefined;
    this.#visit = visit;
  }

  /** The word that stands in the source from `start` to `end`. */
  add(start: number, end: number): void {
    const word = this.#cut(start, Math.min(end, start + MAX_WORD_UNITS));
    this.#visit(word, word);
    if (this.#parts === 0) {
      this.#start = start;
      this.#joined = word;
    } else if (this.#joined.length <= MAX_COMPOUND_UNITS) this.#joined += word;
    this.#end = end;
    this.#parts += 1;
  }

  /** A run of a script without spaces, as overlapping pairs; it is part of no compound. */
  addPairs(start: number, end: number): void {
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
    if (this.#parts > 1 && this.#parts <= MAX_PARTS && this.#joined.length <= MAX_COMPOUND_UNITS) {
      this.#visit(this.#joined, this.#cut(this.#start, this.#end));
    }
    this.#parts = 0;
  }

  #cut(start: number, end: number): string {
    return this.#lower === undefined
      ? this.#source.slice(start, end).toLowerCase()
      : this.#lower.slice(start, end);
  }
}
