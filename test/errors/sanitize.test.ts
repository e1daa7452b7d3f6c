import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeInvisible, forListing, toOneLine } from '../../src/errors/sanitize.js';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const bad = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\u061C\u{E0000}-\u{E007F}]/u;

describe('toOneLine', () => {
  it('folds lines, tabs and controls into single blanks', () => {
    expect(toOneLine(' a\r\n\tb\u0000c\u2028d\u001b[31m ', 100)).toBe('a b c d [31m');
  });

  it('takes out bidirectional marks and tag characters', () => {
    expect(toOneLine('gnp\u202Eexe\u{E0041}\u{E0042}.txt\u200B', 100)).toBe('gnpexe.txt');
  });

  it('mends half a surrogate pair', () => {
    expect(toOneLine('a\ud83d', 10)).toBe('a\ufffd');
  });

  it('is one well-formed line without hidden characters for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.nat(0xffff).map((n) => String.fromCharCode(n)) })),
        (text) => {
          for (const line of [toOneLine(text, 50), forListing(text, 50), escapeInvisible(text)]) {
            expect(line.isWellFormed()).toBe(true);
            expect(line).not.toMatch(bad);
          }
          expect(toOneLine(text, 50).length).toBeLessThanOrEqual(50 * 4 + 65);
        },
      ),
    );
  });
});

describe('forListing', () => {
  it('takes out tags, comments and what nesting leaves behind', () => {
    expect(forListing('a <system>b</system> <!-- c <d> --> e', 100)).toBe('a b e');
    expect(forListing('<<b>system>x</<i>system>', 100)).not.toMatch(/<|system>x/);
    expect(forListing('x < y and z > 1', 100)).toBe('x < y and z > 1');
    expect(forListing('open <system', 100)).toBe('open system');
  });

  it('cuts between graphemes, never inside an emoji or an accent', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(forListing(`ab${family}cd`, 3)).toBe(`ab${family}…`);
    expect(forListing(`ab${family}cd`, 2)).toBe('ab…');
    expect(forListing('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301e\u0301…');
    expect(forListing('x'.repeat(1024), 1024)).toBe('x'.repeat(1024));
  });

  it('bounds a grapheme that never ends', () => {
    expect(forListing(`e${'\u0301'.repeat(100_000)}`, 10).length).toBeLessThanOrEqual(105);
  });

  it('takes linear time on what looks like markup everywhere', () => {
    const started = performance.now();
    for (const piece of ['<!--', '<a', '<', '<!', '-->']) forListing(piece.repeat(16_000), 100);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('escapeInvisible', () => {
  it('shows what cannot be seen', () => {
    expect(escapeInvisible('a\nb\u202ec')).toBe('a\\u{a}b\\u{202e}c');
  });
});
