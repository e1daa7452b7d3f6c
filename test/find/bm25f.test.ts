import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bm25f, Bm25fBuilder } from '../../src/find/bm25f.js';
import type { SearchDocument } from '../../src/find/ranker.js';
import { toTerm, visitWords } from '../../src/find/tokenize.js';

function indexOf(documents: readonly Partial<SearchDocument>[]): Bm25f {
  const builder = new Bm25fBuilder();
  for (const document of documents) builder.add(complete(document));
  return builder.build();
}

function complete(document: Partial<SearchDocument>): SearchDocument {
  return { id: '', name: '', description: '', body: '', ...document };
}

function terms(text: string): string[] {
  const found: string[] = [];
  visitWords(text, (word) => {
    const term = toTerm(word);
    if (term !== undefined) found.push(term);
  });
  return found;
}

/** The formula written out, without an index: slow and plain. */
function scoreByHand(documents: readonly SearchDocument[], task: string): Map<string, number> {
  const fields = [
    { of: (one: SearchDocument) => terms(one.id), weight: 3, b: 0.3 },
    { of: (one: SearchDocument) => terms(one.name), weight: 3, b: 0.3 },
    { of: (one: SearchDocument) => terms(one.description), weight: 2, b: 0.5 },
    { of: (one: SearchDocument) => terms(one.body), weight: 0.3, b: 0.75 },
  ];
  const average = fields.map(
    ({ of }) => documents.reduce((sum, one) => sum + of(one).length, 0) / documents.length || 1,
  );
  const scores = new Map<string, number>();
  for (const one of documents) {
    let score = 0;
    for (const term of new Set(terms(task))) {
      const holders = documents.filter((other) => fields.some(({ of }) => of(other).includes(term))).length;
      if (holders === 0) continue;
      const idf = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
      const tf = fields.reduce((sum, { of, weight, b }, field) => {
        const words = of(one);
        const count = words.filter((word) => word === term).length;
        return sum + (weight * count) / (1 - b + (b * words.length) / (average[field] ?? 1));
      }, 0);
      score += (idf * 2.2 * tf) / (1.2 + tf);
    }
    if (score > 0) scores.set(one.id, score);
  }
  return scores;
}

const SKILLS: SearchDocument[] = [
  { id: 'pdf-forms', description: 'Fill in PDF forms and read their fields.', body: 'Use the form reader.' },
  { id: 'slides', description: 'Make slides out of an outline.', body: 'A slide holds one thought. No PDF.' },
  { id: 'multi-agent', description: 'Plan work for several agents.', body: '' },
  { id: 'data-cleaning', description: 'Clean tables.', body: 'Forms of dirt: gaps, doubles.' },
].map((one) => complete({ name: one.id, ...one }));

describe('the index', () => {
  it.each([
    'fill in a pdf form',
    'forms forms forms',
    'plan agents to clean tables and slides',
    'unheardof words about pdf',
  ])('scores %j by the formula', (task) => {
    const expected = scoreByHand(SKILLS, task);
    const ranked = indexOf(SKILLS).rank(task, 10);
    expect(new Set(ranked.map(({ id }) => id))).toEqual(new Set(expected.keys()));
    for (const { id, score } of ranked) expect(score).toBeCloseTo(expected.get(id) ?? 0, 10);
  });

  it('weighs a request by its distinct terms, unseen ones as the rarest', () => {
    const { idfMax, attainable } = indexOf(SKILLS).search('pdf PDF zebra', 1).worth;
    expect(idfMax).toBeCloseTo(Math.log(1 + 4.5 / 0.5), 12);
    expect(attainable).toBeCloseTo(2.2 * (idfMax + Math.log(1 + 2.5 / 2.5)), 12);
  });

  it('names the own words of the request, rarest first, at most twenty', () => {
    const [first] = indexOf(SKILLS).rank('Filling PDF Forms', 1);
    expect(first?.matched).toEqual(['filling', 'pdf', 'forms']);
    const [agents] = indexOf(SKILLS).rank('Multi-Agent', 1);
    expect(new Set(agents?.matched)).toEqual(new Set(['multi', 'agent', 'multi-agent']));
    const many = Array.from({ length: 60 }, (_, number) => `word${number}`).join(' ');
    expect(indexOf([{ id: 'a', body: many }, { id: 'b' }]).rank(many, 1)[0]?.matched).toHaveLength(20);
  });

  it('keeps the order of the documents among equals', () => {
    const twins = ['zeta', 'alpha', 'mid'].map((id) => ({ id, description: 'the same text' }));
    expect(
      indexOf(twins)
        .rank('same text', 3)
        .map(({ id }) => id),
    ).toEqual(['zeta', 'alpha', 'mid']);
  });

  it('finds skills described in scripts without spaces by a word of two characters', () => {
    const skills = [
      { id: 'tables', description: '清理和分析表格数据' },
      { id: 'slides', description: 'プレゼンテーションのスライドを作成する' },
      { id: 'mail', description: '이메일 답장을 작성합니다' },
      { id: 'other', description: 'Something else.' },
    ];
    for (const [task, id] of [
      ['表格', 'tables'],
      ['作成', 'slides'],
      ['답장', 'mail'],
    ] as const) {
      expect(indexOf(skills).rank(task, 1)[0]?.id).toBe(id);
    }
  });

  it('takes signs for what they are and finds a name by its parts', () => {
    const index = indexOf(SKILLS);
    for (const task of ['agent', 'multi', 'multi-agent', 'MultiAgent', 'multi_agent?', "'multi agent'!"]) {
      expect(index.rank(task, 1)[0]?.id, task).toBe('multi-agent');
    }
    for (const task of [
      '"',
      'C++',
      '@scope/pkg',
      'current.md',
      "what's the budget?",
      '\\',
      '\0',
      '*:*',
      '(',
    ]) {
      expect(() => index.rank(task, 5)).not.toThrow();
    }
  });

  it('is not confused by words that every object inherits', () => {
    const index = indexOf([
      { id: 'classes', description: 'constructor and __proto__ of classes' },
      { id: 'x' },
    ]);
    expect(index.rank('constructor', 5).map(({ id }) => id)).toEqual(['classes']);
    expect(index.rank('toString hasOwnProperty', 5)).toEqual([]);
  });

  it('answers an empty catalog and an empty field without a NaN', () => {
    expect(indexOf([]).rank('anything', 5)).toEqual([]);
    expect(indexOf([]).search('anything', 5).worth.attainable).toBeGreaterThan(0);
    const [only] = indexOf([{ id: 'a', description: 'alone' }]).rank('alone', 5);
    expect(only?.score).toBeGreaterThan(0);
  });

  it('is finite, ordered and the same twice, for any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, description: text, body: text }), { maxLength: 8 }),
        text,
        fc.integer({ min: 1, max: 20 }),
        (documents, task, k) => {
          const named = documents.map((document, position) => ({ ...document, id: `s${position}` }));
          const ranked = indexOf(named).rank(task, k);
          expect(ranked.length).toBeLessThanOrEqual(k);
          for (const [position, { score }] of ranked.entries()) {
            expect(Number.isFinite(score) && score > 0).toBe(true);
            expect(score).toBeLessThanOrEqual(ranked[position - 1]?.score ?? Number.MAX_VALUE);
          }
          expect(indexOf(named).rank(task, k)).toEqual(ranked);
          const { attainable } = indexOf(named).search(task, k).worth;
          expect(ranked[0]?.score ?? 0).toBeLessThanOrEqual(attainable);
        },
      ),
    );
  });

  it('answers requests of 100 KB in bounded time', () => {
    const documents = Array.from({ length: 500 }, (_, number) => ({
      id: `skill-${number}`,
      body: `common words and number ${number} `.repeat(40),
    }));
    const index = indexOf(documents);
    const tasks = [
      'common words '.repeat(8_000),
      Array.from({ length: 20_000 }, (_, number) => `n${number}`).join(' '),
      'a'.repeat(100_000),
      '-'.repeat(100_000),
      '\u{1f600}'.repeat(25_000),
      '\ud800'.repeat(100_000),
      '\u0301'.repeat(100_000),
    ];
    for (const task of tasks) {
      const start = performance.now();
      index.rank(task, 10);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});
