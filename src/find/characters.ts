/** What a character means for the splitting of text into words. */
export const SEPARATOR = 1;
export const LOWER = 2;
export const UPPER = 3;
export const DIGIT = 4;
/** Belongs to the word it stands in, and begins none of its own kind: combining marks. */
export const MARK = 5;
/** A script that writes without spaces: taken as pairs of characters. */
export const DENSE = 6;

const DENSE_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

// One byte for each character of the basic plane, filled as they are met: a property test by regular expression
// costs a hundred times a look into a table.
const known = new Uint8Array(0x10000);

/** The class of a code point. */
export function classifyCharacter(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint);
  const found = known[codePoint];
  if (found !== undefined && found !== 0) return found;
  const fresh = classify(codePoint);
  known[codePoint] = fresh;
  return fresh;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (!/[\p{L}\p{M}\p{N}]/u.test(character)) return SEPARATOR;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (DENSE_SCRIPTS.test(character)) return DENSE;
  if (/\p{M}/u.test(character)) return MARK;
  return /[\p{Lu}\p{Lt}]/u.test(character) ? UPPER : LOWER;
}
