import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type Evaluation, evaluate } from '../../../src/find/evaluation/evaluate.js';
import { readRequests } from '../../../src/find/evaluation/read-requests.js';
import { sweepGate } from '../../../src/find/evaluation/sweep.js';
import { Finder, type FindScope } from '../../../src/find/find.js';
import { makeScope } from '../../helpers/find-scope.js';
import { makeSkill } from '../../helpers/skills.js';

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/evaluation');
const FILE = path.join(FOLDER, 'requests.jsonl');
const REQUESTS = readRequests(readFileSync(FILE, 'utf8'), FILE);

let scope: FindScope;
let evaluation: Evaluation;

beforeAll(async () => {
  const names = (await readdir(path.join(FOLDER, 'skills'))).sort();
  const skills = names.map(async (name) => {
    const directory = path.join(FOLDER, 'skills', name);
    const [, description = ''] =
      /^description: (.*)$/m.exec(await readFile(path.join(directory, 'SKILL.md'), 'utf8')) ?? [];
    return makeSkill({ name, description, directory });
  });
  scope = makeScope(await Promise.all(skills));
  const finder = new Finder({ variables: new Map(), providersFile: '/nowhere' });
  evaluation = await evaluate(REQUESTS, scope, finder, new AbortController().signal);
});

it('the requests are many, of both kinds, in two halves', () => {
  expect(REQUESTS.length).toBeGreaterThanOrEqual(100);
  const { tune, test } = evaluation.splits;
  for (const half of [tune, test]) {
    expect(half.covered).toBeGreaterThanOrEqual(30);
    expect(half.uncovered).toBeGreaterThanOrEqual(20);
  }
  expect(new Set(REQUESTS.map(({ task }) => task)).size).toBe(REQUESTS.length);
  expect(evaluation).toMatchObject({ skipped: 0, skills: 50, rankers: { bm25: REQUESTS.length } });
});

it('on the half that nothing was chosen by, the right skill comes first and silence is cheap', () => {
  const { hit1, hit3, covered, rates } = evaluation.splits.test;
  expect(hit1 / covered).toBeGreaterThanOrEqual(0.85);
  expect(hit3 / covered).toBeGreaterThanOrEqual(0.9);
  expect(rates.right).toBeGreaterThanOrEqual(0.4);
  expect(rates.wrong).toBeLessThanOrEqual(0.05);
  expect(rates.needless).toBeLessThanOrEqual(0.05);
});

it('is the same twice', async () => {
  const finder = new Finder({ variables: new Map(), providersFile: '/nowhere' });
  expect(await evaluate(REQUESTS, scope, finder, new AbortController().signal)).toEqual(evaluation);
});

it('the sweep agrees with the gate at its own threshold and is monotonous', async () => {
  const sweep = await sweepGate(REQUESTS, scope);
  const own = Math.round((0.3 + 0.1 * Math.log(50)) * 1_000) / 1_000;
  const { right, wrong, silent, needless } = evaluation.splits.tune;
  expect(sweep.find(({ threshold }) => threshold === own)).toEqual({
    threshold: own,
    right,
    wrong,
    silent,
    needless,
  });
  for (const [position, row] of sweep.entries()) {
    expect(row.right + row.wrong + row.silent).toBe(evaluation.splits.tune.covered);
    expect(row.silent).toBeGreaterThanOrEqual(sweep[position - 1]?.silent ?? 0);
  }
});
