import { stemmer } from 'stemmer';
import { classifyCharacter, DENSE, DIGIT, LOWER, MARK, SEPARATOR, UPPER } from './characters.js';
import { STOP_WORDS } from './stop-words.js';
import { type VisitWord, WordRun } from './word-run.js';

/** Porter's rules know English letters only; on others they would cut at random. */
const STEMMABLE = /^[a-z]{3,}$/;

/**
 * Calls `visit` with the words of a text in lower case: `camelCase` and `multi-agent` are two words each and, as
 * one, the compound that they make; a script without spaces yields overlapping pairs of characters. Time grows
 * with the text's length alone.
 */
export function visitWords(text: string, visit: VisitWord): void {
  const source = text.normalize('NFKC');
  const words = new WordRun(source, visit);
  let start = 0;
  let previous = SEPARATOR;
  for (let index = 0; index < source.length; ) {
    const codePoint = source.codePointAt(index) ?? 0;
    const kind = classifyCharacter(codePoint);
    const next = kind === MARK && previous !== SEPARATOR ? previous : kind;
    if (next !== previous) {
      if (!continuesWord(previous, next)) {
        flush(words, start, index, previous);
        start = index;
      } else if (next === LOWER && previous === UPPER && index - start > 1) {
        // The last capital of `HTTPServer` begins the next word.
        flush(words, start, index - 1, UPPER);
        start = index - 1;
      }
      previous = next;
    }
    index += codePoint > 0xffff ? 2 : 1;
  }
  flush(words, start, source.length, previous);
  words.end();
}

/** The form under which a word is indexed and looked up; undefined for a word that says nothing. */
export function toTerm(word: string): string | undefined {
  if (STOP_WORDS.has(word)) return undefined;
  return STEMMABLE.test(word) ? stemmer(word) : word;
}

function continuesWord(previous: number, next: number): boolean {
  if (next === DIGIT) return previous === LOWER || previous === UPPER;
  if (previous === DIGIT) return next === LOWER || next === UPPER;
  return previous === UPPER && next === LOWER;
}

function flush(words: WordRun, start: number, end: number, kind: number): void {
  if (kind === SEPARATOR) words.separate(start, end);
  else if (kind === DENSE) words.addPairs(start, end);
  else words.add(start, end);
}
