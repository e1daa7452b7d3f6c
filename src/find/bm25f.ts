import { type CountedDocument, countDocument, K1, type Postings, weighPostings } from './postings.js';
import type { Ranked, Ranker, SearchDocument } from './ranker.js';
import { readRequest } from './request-terms.js';
import { selectBest } from './select-best.js';
import { Vocabulary } from './vocabulary.js';

/** Most words of a request that an answer names as matched. */
const MAX_MATCHED = 20;

/** What a request is worth in a catalog, whoever answers it. */
export interface RequestWorth {
  /** Worth of a term that no skill holds: the most that any term can be worth. */
  readonly idfMax: number;
  /** Score of a skill that would hold every term of the request without end. */
  readonly attainable: number;
}

/** One term of a request: the word it was written as, what it is worth, and where its entries stand. */
interface RequestTerm {
  readonly word: string;
  readonly idf: number;
  readonly start: number;
  readonly end: number;
}

/** Takes documents in one after another, so that a large catalog can be indexed in slices of time. */
export class Bm25fBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #ids: string[] = [];
  readonly #counted: CountedDocument[] = [];

  add(document: SearchDocument): void {
    this.#ids.push(document.id);
    this.#counted.push(countDocument(document, this.#vocabulary));
  }

  build(): Bm25f {
    const postings = weighPostings(this.#counted, this.#vocabulary.size);
    return new Bm25f(this.#ids, this.#vocabulary, postings);
  }
}

/** BM25 over weighted fields. Immutable; the same request gets the same answer, in time bounded by the index. */
export class Bm25f implements Ranker {
  readonly #ids: readonly string[];
  readonly #vocabulary: Vocabulary;
  readonly #postings: Postings;
  readonly #scores: Float64Array;

  constructor(ids: readonly string[], vocabulary: Vocabulary, postings: Postings) {
    this.#ids = ids;
    this.#vocabulary = vocabulary;
    this.#postings = postings;
    this.#scores = new Float64Array(ids.length);
  }

  /** Skills in the index. */
  get size(): number {
    return this.#ids.length;
  }

  rank(task: string, k: number): readonly Ranked[] {
    return this.search(task, k).ranked;
  }

  /** The best `k`, and what the request could score at all; its unseen terms count as the rarest. */
  search(task: string, k: number): { readonly ranked: readonly Ranked[]; readonly worth: RequestWorth } {
    const terms = this.#readTerms(task);
    const scores = this.#scores.fill(0);
    const { documents, gains } = this.#postings;
    let sum = 0;
    for (const { idf, start, end } of terms) {
      sum += idf;
      for (let slot = start; slot < end; slot++) {
        const document = documents[slot] ?? 0;
        scores[document] = (scores[document] ?? 0) + idf * (gains[slot] ?? 0);
      }
    }
    const rarestFirst = terms.sort((a, b) => b.idf - a.idf);
    const ranked = selectBest(scores, k).map((document) => ({
      id: this.#ids[document] ?? '',
      score: scores[document] ?? 0,
      matched: nameMatched(rarestFirst, documents, document),
    }));
    return { ranked, worth: { idfMax: this.#idf(0), attainable: (K1 + 1) * sum } };
  }

  /** The request's terms, those that no skill holds with an empty range. */
  #readTerms(task: string): RequestTerm[] {
    const { starts } = this.#postings;
    return Array.from(readRequest(task), ([term, word]) => {
      const id = this.#vocabulary.lookUp(term);
      const start = id === undefined ? 0 : (starts[id] ?? 0);
      const end = id === undefined ? 0 : (starts[id + 1] ?? 0);
      return { word, idf: this.#idf(end - start), start, end };
    });
  }

  #idf(holders: number): number {
    return Math.log(1 + (this.#ids.length - holders + 0.5) / (holders + 0.5));
  }
}

function nameMatched(terms: readonly RequestTerm[], documents: Int32Array, document: number): string[] {
  const matched: string[] = [];
  for (const { word, start, end } of terms) {
    if (matched.length === MAX_MATCHED) break;
    if (holds(documents, document, start, end)) matched.push(word);
  }
  return matched;
}

/** Entries of a term are in the order of the documents. */
function holds(documents: Int32Array, wanted: number, start: number, end: number): boolean {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((documents[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < end && documents[low] === wanted;
}
