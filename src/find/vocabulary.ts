import { toTerm, visitWords } from './tokenize.js';

const NO_TERM = -1;

/** Numbers for terms. Words are stemmed once, however often they stand in a catalog. */
export class Vocabulary {
  readonly #termIds = new Map<string, number>();
  readonly #wordIds = new Map<string, number>();

  get size(): number {
    return this.#termIds.size;
  }

  /** The terms of a text in order, repetitions included, appended to `terms`. */
  append(text: string, terms: number[]): void {
    visitWords(text, (word) => {
      const id = this.#idOf(word);
      if (id !== NO_TERM) terms.push(id);
    });
  }

  /** The number of a term that some text held; undefined for any other. */
  lookUp(term: string): number | undefined {
    return this.#termIds.get(term);
  }

  #idOf(word: string): number {
    const known = this.#wordIds.get(word);
    if (known !== undefined) return known;
    const own = detach(word);
    const term = toTerm(own);
    const id = term === undefined ? NO_TERM : this.#numberTerm(term);
    this.#wordIds.set(own, id);
    return id;
  }

  #numberTerm(term: string): number {
    const known = this.#termIds.get(term);
    if (known !== undefined) return known;
    const id = this.#termIds.size;
    this.#termIds.set(term, id);
    return id;
  }
}

/** A copy that stands for itself: a part of a text, kept as a key, would keep the whole text in memory. */
function detach(word: string): string {
  return word.split('').join('');
}
