import type { SearchDocument } from './ranker.js';
import type { Vocabulary } from './vocabulary.js';

/** Saturation of a term that is repeated. */
export const K1 = 1.2;

/** How much a field counts, and how much its length is held against it. */
const FIELDS = [
  { name: 'id', weight: 3, lengthPenalty: 0.3 },
  { name: 'name', weight: 3, lengthPenalty: 0.3 },
  { name: 'description', weight: 2, lengthPenalty: 0.5 },
  // The instructions are worth more than ten points of hit@1, but only as a whisper.
  { name: 'body', weight: 0.3, lengthPenalty: 0.75 },
] as const;

/** A document as numbers of terms: those of its fields one after another, and where each field ends. */
export interface CountedDocument {
  readonly terms: Int32Array;
  readonly ends: readonly number[];
}

/** Turns a document's fields into numbers of terms. */
export function countDocument(document: SearchDocument, vocabulary: Vocabulary): CountedDocument {
  const terms: number[] = [];
  const ends = FIELDS.map(({ name }) => {
    vocabulary.append(document[name], terms);
    return terms.length;
  });
  return { terms: new Int32Array(terms), ends };
}

/** For each term the documents that hold it, in their order, and what the term adds to their score before its idf. */
export interface Postings {
  /** Where the entries of a term begin; one more than there are terms. */
  readonly starts: Int32Array;
  readonly documents: Int32Array;
  /** (k1 + 1)·tf′ / (k1 + tf′). */
  readonly gains: Float64Array;
}

/** Weighs the terms of all documents against the average lengths of their fields, in tokens. */
export function weighPostings(documents: readonly CountedDocument[], termCount: number): Postings {
  const averages = averageLengths(documents);
  const starts = countHolders(documents, termCount);
  const total = starts[termCount] ?? 0;
  const postings = { starts, documents: new Int32Array(total), gains: new Float64Array(total) };
  const next = starts.slice(0, termCount);
  const frequency = new Float64Array(termCount);
  documents.forEach(({ terms, ends }, document) => {
    FIELDS.forEach(({ weight, lengthPenalty }, field) => {
      const start = ends[field - 1] ?? 0;
      const end = ends[field] ?? 0;
      const share = weight / (1 - lengthPenalty + (lengthPenalty * (end - start)) / (averages[field] ?? 1));
      for (let index = start; index < end; index++) add(frequency, terms[index] ?? 0, share);
    });
    for (const term of terms) {
      const tf = frequency[term] ?? 0;
      if (tf === 0) continue; // Written already: the term stands in the document twice.
      frequency[term] = 0;
      const slot = next[term] ?? 0;
      next[term] = slot + 1;
      postings.documents[slot] = document;
      postings.gains[slot] = ((K1 + 1) * tf) / (K1 + tf);
    }
  });
  return postings;
}

/** An average of 0 counts as 1: nothing is divided by it then but other zeros. */
function averageLengths(documents: readonly CountedDocument[]): readonly number[] {
  return FIELDS.map((_, field) => {
    let tokens = 0;
    for (const { ends } of documents) tokens += (ends[field] ?? 0) - (ends[field - 1] ?? 0);
    return tokens / documents.length || 1;
  });
}

function countHolders(documents: readonly CountedDocument[], termCount: number): Int32Array {
  const starts = new Int32Array(termCount + 1);
  const lastHolder = new Int32Array(termCount).fill(-1);
  documents.forEach(({ terms }, document) => {
    for (const term of terms) {
      if (lastHolder[term] === document) continue;
      lastHolder[term] = document;
      add(starts, term + 1, 1);
    }
  });
  for (let term = 0; term < termCount; term++) add(starts, term + 1, starts[term] ?? 0);
  return starts;
}

function add(numbers: Int32Array | Float64Array, index: number, amount: number): void {
  numbers[index] = (numbers[index] ?? 0) + amount;
}
