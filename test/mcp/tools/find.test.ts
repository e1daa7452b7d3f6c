import { beforeAll, describe, expect, it } from 'vitest';
import type { FindView } from '../../../src/catalog/find-catalog.js';
import { Finder } from '../../../src/find/find.js';
import { clampLimit, makeFind } from '../../../src/mcp/tools/find.js';
import { CALL, scanView } from '../../helpers/find-view.js';
import { makeDirectory, writeSkill } from '../../helpers/skills.js';

const root = makeDirectory();
let view: FindView;

beforeAll(async () => {
  for (let number = 0; number < 12; number++) {
    writeSkill(root, `garden-${number}`, { description: `Grow plant number ${number} in a garden.` });
  }
  writeSkill(root, 'pdf-forms', { description: 'Fill in PDF forms.' });
  view = await scanView([root]);
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function callFind(args: unknown): Promise<any> {
  const finder = new Finder({ variables: new Map(), providersFile: '/nowhere' });
  return makeFind({ view: async () => view, finder }).call(args, CALL);
}

describe('find', () => {
  it('answers with a suggestion, candidates and evidence', async () => {
    const answer = await callFind({ task: 'fill in PDF forms' });
    expect(Object.keys(answer)).toEqual(['needsSkill', 'suggestion', 'ranker', 'candidates', 'evidence']);
    expect(answer).toMatchObject({ needsSkill: null, suggestion: 'pdf-forms', ranker: 'bm25' });
    expect(Object.keys(answer.candidates[0])).toEqual(['id', 'description', 'score']);
    expect(Object.keys(answer.evidence)).toEqual(['strength', 'coverage', 'margin', 'matchedTerms']);
  });

  it.each([
    [undefined, 5],
    [null, 5],
    [1, 1],
    [3.99, 3],
    [0, 1],
    [-7, 1],
    [11, 10],
    [1e300, 10],
  ])('takes %j as a limit of %d', async (limit, count) => {
    expect((await callFind({ task: 'grow a plant in my garden', limit })).candidates).toHaveLength(count);
  });

  it('has a limit of its own', () => {
    expect(clampLimit()).toBe(5);
  });

  it.each([
    [{}, 'task: is required'],
    [{ task: '' }, 'task: must not be blank'],
    [{ task: ' \n\t\u3000' }, 'task: must not be blank'],
    [{ task: 5 }, 'task must be a string (got 5)'],
    [{ task: 'x', limit: 'many' }, 'limit must be a number (got a string)'],
    [{ task: 'x', topK: 3 }, 'unknown field "topK"'],
    ['task', 'task: is required'],
  ])('refuses %j and shows the right shape', async (args, message) => {
    await expect(callFind(args)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining('"task"'),
    });
  });

  it('passes a fault of the config on as its reason', async () => {
    const broken = { ...view, fault: 'the config is broken: line 1' };
    const finder = new Finder({ variables: new Map(), providersFile: '/nowhere' });
    const answer = await makeFind({ view: async () => broken, finder }).call(
      { task: 'fill in PDF forms' },
      CALL,
    );
    expect(answer).toMatchObject({ suggestion: 'pdf-forms', reason: 'the config is broken: line 1' });
  });

  it('costs about the same whatever the catalog holds', async () => {
    const size = JSON.stringify(await callFind({ task: 'grow a plant in my garden' })).length;
    const many = makeDirectory();
    for (let number = 0; number < 200; number++) {
      writeSkill(many, `garden-${number}`, { description: `Grow plant ${number}. ${'x'.repeat(400)}` });
    }
    const large = await scanView([many]);
    const finder = new Finder({ variables: new Map(), providersFile: '/nowhere' });
    const answer = await makeFind({ view: async () => large, finder }).call({ task: 'grow a plant' }, CALL);
    expect(JSON.stringify(answer).length).toBeLessThan(size + 5 * 500);
  });
});
