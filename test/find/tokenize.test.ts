import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTerm, visitWords } from '../../src/find/tokenize.js';

function words(text: string): string[] {
  const found: string[] = [];
  visitWords(text, (word) => found.push(word));
  return found;
}

describe('words of a text', () => {
  it.each([
    ['fill in a PDF form', ['fill', 'in', 'a', 'pdf', 'form']],
    ['multi-agent', ['multi', 'agent', 'multiagent']],
    ['snake_case.md', ['snake', 'case', 'md', 'snakecasemd']],
    ['camelCase', ['camel', 'case', 'camelcase']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['iPhone6s', ['i', 'phone6s', 'iphone6s']],
    ['what\'s the "budget"?', ['what', 's', 'the', 'budget']],
    ['@scope/pkg', ['scope', 'pkg']],
    ['C++ or C#', ['c', 'or', 'c']],
    ['a--b', ['a', 'b']],
    ['end. Next', ['end', 'next']],
    ['ﬁle ＡＢＣ', ['file', 'abc']],
    ['naïve Straße', ['naïve', 'straße']],
    ['हिन्दी', ['हिन्दी']],
    ['"', []],
    ['?!… —', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('are overlapping pairs in scripts without spaces', () => {
    expect(words('数据分析')).toEqual(['数据', '据分', '分析']);
    expect(words('データ')).toEqual(['デー', 'ータ']);
    expect(words('발표')).toEqual(['발표']);
    expect(words('表')).toEqual(['表']);
    expect(words('PDF表单')).toEqual(['pdf', '表单']);
    expect(words('𠮷野家')).toEqual(['𠮷野', '野家']);
  });

  it('are the same whichever way an accent is composed', () => {
    expect(words('cafe\u0301')).toEqual(words('caf\u00e9'));
  });

  it('are cut at 64 units, and chains of more than eight parts make no name', () => {
    expect(words('x'.repeat(5_000))).toEqual(['x'.repeat(64)]);
    expect(words('a-b-c-d-e-f-g-h-i')).toHaveLength(9);
    expect(words('a-b-c-d-e-f-g-h')).toContain('abcdefgh');
  });

  it('are bounded for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        let units = 0;
        for (const word of words(text)) {
          expect(word.length).toBeGreaterThan(0);
          expect(word.length).toBeLessThanOrEqual(200);
          units += word.length;
        }
        // Each character stands in at most two pairs, or in a word and a name; NFKC and lower case may lengthen it.
        expect(units).toBeLessThanOrEqual(text.length * 60 + 10);
      }),
    );
  });

  it('take time that grows with the length alone', () => {
    const hostile = [
      'aA'.repeat(50_000),
      'a-'.repeat(50_000),
      '中'.repeat(100_000),
      'e\u0301'.repeat(50_000),
    ];
    for (const text of hostile) {
      const start = performance.now();
      words(text);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});

describe('terms', () => {
  it('join the forms of an English word', () => {
    expect(toTerm('deploying')).toBe(toTerm('deployed'));
    expect(toTerm('presentations')).toBe(toTerm('presentation'));
  });

  it('leave other scripts and words with digits alone', () => {
    for (const word of ['naïves', 'h264s', '数据']) expect(toTerm(word)).toBe(word);
  });

  it('are none for words that say nothing', () => {
    for (const word of ['the', 'please', 'how', 's']) expect(toTerm(word)).toBeUndefined();
  });

  it('keep names of what every object inherits', () => {
    for (const word of ['constructor', 'valueof']) expect(toTerm(word)).toBeTypeOf('string');
  });
});
