import { stemmer } from 'stemmer';
import { classifyCharacter, DENSE, DIGIT, LOWER, MARK, SEPARATOR, UPPER } from './characters.js';
import { Compound, type VisitWord } from './compound.js';
import { STOP_WORDS } from './stop-words.js';

/** Longest word that is told apart, UTF-16 units: what follows is a hash or an attack. */
export const MAX_WORD_UNITS = 64;

/** Porter's rules know English letters only; on others they would cut at random. */
const STEMMABLE = /^[a-z]{3,}$/;

/**
 * Calls `visit` with the words of a text in lower case: `camelCase` and `multi-agent` are two words each and, as
 * one, the compound that they make; a script without spaces yields overlapping pairs of characters. Time grows
 * with the text's length alone.
 */
export function visitWords(text: string, visit: VisitWord): void {
  const source = text.normalize('NFKC');
  const compound = new Compound(source, visit);
  let start = 0;
  let previous = SEPARATOR;
  for (let index = 0; index < source.length; ) {
    const codePoint = source.codePointAt(index) ?? 0;
    const kind = classifyCharacter(codePoint);
    const next = kind === MARK && previous !== SEPARATOR ? previous : kind;
    if (next !== previous && !continuesWord(previous, next)) {
      flush(source, start, index, previous, compound);
      start = index;
    } else if (next === LOWER && previous === UPPER && index - start > 1) {
      // The last capital of `HTTPServer` begins the next word.
      flush(source, start, index - 1, UPPER, compound);
      start = index - 1;
    }
    previous = next;
    index += codePoint > 0xffff ? 2 : 1;
  }
  flush(source, start, source.length, previous, compound);
  compound.end();
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

function flush(source: string, start: number, end: number, kind: number, compound: Compound): void {
  if (kind === SEPARATOR) compound.separate(start, end);
  else if (kind === DENSE) compound.visitPairs(start, end);
  else {
    const word = source.slice(start, Math.min(end, start + MAX_WORD_UNITS)).toLowerCase();
    compound.addPart(word, start, end);
  }
}
