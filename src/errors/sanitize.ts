// Bidirectional marks reorder what a reader sees; tag characters and zero-width ones hide text from people and
// show it to models. The joiners U+200C and U+200D stay: Persian and emoji need them.
const HIDDEN =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
const LINE_BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

// Four code units a grapheme is more than any script needs; without a bound one grapheme may be a megabyte.
const UNITS_PER_GRAPHEME = 4;
// A short text may be one family of emoji.
const SPARE_UNITS = 64;
// A tag inside a tag appears when the inner one is taken out; deeper constructions lose their brackets.
const MARKUP_PASSES = 4;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** One line without control, bidirectional or tag characters, at most `max` graphemes; always well-formed. */
export function toOneLine(text: string, max: number): string {
  return cutAtGrapheme(removeHidden(text), max);
}

/** As toOneLine, with XML-like markup removed too: for text of strangers that models read in listings. */
export function forListing(text: string, maxGraphemes: number): string {
  return cutAtGrapheme(removeMarkup(removeHidden(text)), maxGraphemes);
}

/** A file name as it can be shown: what would not be seen as itself becomes an escape such as `\u{202e}`. */
export function escapeInvisible(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escapeCharacter)
    .replace(HIDDEN, escapeCharacter);
}

/** A name as the caller gave it, in quotes: what would not be seen is escaped, nothing is taken out but the end. */
export function quoteName(name: string, max: number): string {
  return `"${cutAtGrapheme(escapeInvisible(name), max).replaceAll('"', '\\"')}"`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function removeHidden(text: string): string {
  return text.toWellFormed().replace(HIDDEN, '').replace(LINE_BREAKING, ' ').trim();
}

function removeMarkup(text: string): string {
  let rest = removeComments(text);
  for (let pass = 0; pass < MARKUP_PASSES; pass++) {
    const stripped = rest.replace(/<[/!?]?\p{L}[^<>]*>|<[!?][^<>]*>/gu, '');
    if (stripped === rest) break;
    rest = stripped;
  }
  // An unclosed or deeply nested tag: its bracket alone is enough to take.
  return rest
    .replace(/<(?=[/!?\p{L}])/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Split rather than matched: a lazy pattern would scan to the end from every opening. */
function removeComments(text: string): string {
  const [before = '', ...parts] = text.split('<!--');
  const kept = parts.map((part) => part.slice(part.indexOf('-->') === -1 ? 0 : part.indexOf('-->') + 3));
  return before + kept.join('');
}

function cutAtGrapheme(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  let count = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    const next = index + segment.length;
    if (count === max || next > max * UNITS_PER_GRAPHEME + SPARE_UNITS)
      return `${text.slice(0, end).trimEnd()}…`;
    count += 1;
    end = next;
  }
  return text;
}
