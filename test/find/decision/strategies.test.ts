import { describe, expect, it } from 'vitest';
import { chooseThresholds } from '../../../src/find/decision/thresholds.js';
import { askModel, type Setting } from '../../helpers/ask-model.js';
import { type Belief, believe, startDecisionServer } from '../../helpers/decision-server.js';
import { makeSkills } from '../../helpers/find-scope.js';

const OPEN = { procedure: 0.5, general: 0.5, guide: 0.5, named: 0 };

async function askBelieving(belief: Belief, setting: Setting = {}) {
  const server = await startDecisionServer(believe('systemone', belief));
  return { answer: await askModel({ baseURL: server.url, ...setting }), seen: server.seen };
}

describe.each(['shortlist', 'shards'] as const)('%s', (strategy) => {
  it('suggests the chosen skill when it fits', async () => {
    const { answer } = await askBelieving(
      { choice: 'pdf-forms', yes: { ...OPEN, 'fits.pdf-forms': 0.3 } },
      { strategy },
    );
    expect(answer).toMatchObject({ needsSkill: true, suggestion: 'pdf-forms', ranker: 'test-model' });
    expect(answer.evidence).toBeUndefined();
  });

  it('suggests nothing when it fits too badly, or when none was chosen', async () => {
    const bad = await askBelieving(
      { choice: 'pdf-forms', yes: { ...OPEN, 'fits.pdf-forms': 0.29 } },
      { strategy },
    );
    expect(bad.answer).toMatchObject({ needsSkill: true, suggestion: null });
    expect(bad.answer.reason).toBe('pdf-forms comes closest, but fits with 0.29 of 0.3 needed');
    const none = await askBelieving({ choice: '(none)', yes: OPEN }, { strategy });
    expect(none.answer).toMatchObject({
      needsSkill: true,
      suggestion: null,
      reason: 'none of the skills fits',
    });
  });

  it('suggests nothing that only a person may call', async () => {
    const yes = { ...OPEN, 'fits.deploy-form': 0.9 };
    const { answer } = await askBelieving({ choice: 'deploy-form', yes }, { strategy });
    expect(answer).toMatchObject({ needsSkill: true, suggestion: null });
    expect(answer.reason).toContain('disable-model-invocation');
  });

  it('opens the gate by what the task needs or by what it names', async () => {
    const fits = { 'fits.pdf-forms': 0.9 };
    const cases: [Record<string, number>, boolean][] = [
      [{ procedure: 0, general: 1, guide: 0, named: 0 }, false],
      [{ procedure: 0.9, general: 1, guide: 0, named: 0 }, true],
      [{ procedure: 0, general: 0.1, guide: 0, named: 0 }, true],
      [{ procedure: 0.2, general: 0.8, guide: 0.4, named: 0.49 }, false],
      [{ procedure: 0, general: 1, guide: 0, named: 0.5 }, true],
    ];
    for (const [gate, needsSkill] of cases) {
      const { answer } = await askBelieving({ choice: 'pdf-forms', yes: { ...gate, ...fits } }, { strategy });
      expect(answer.needsSkill, JSON.stringify(gate)).toBe(needsSkill);
      expect(answer.suggestion).toBe(needsSkill ? 'pdf-forms' : null);
      expect(answer.candidates.length).toBeGreaterThan(0);
    }
  });

  it('takes the thresholds of the config, else those of the entry, else its own', async () => {
    const belief = { choice: 'pdf-forms', yes: { ...OPEN, 'fits.pdf-forms': 0.4 } };
    const shippedThresholds = { fits: 0.45 };
    expect((await askBelieving(belief, { strategy, shippedThresholds })).answer.suggestion).toBeNull();
    // An entry in the config that leaves fits out means the default, 0.30, not the 0.45 of the other one.
    const thresholds = { action: 0.1 };
    const mixed = await askBelieving(belief, { strategy, shippedThresholds, thresholds });
    expect(mixed.answer.suggestion).toBe('pdf-forms');
    const strict = await askBelieving(belief, { strategy, thresholds: { fits: 0.41 } });
    expect(strict.answer.suggestion).toBeNull();
  });

  it('cuts the candidates to the limit', async () => {
    const probabilities = { 'pdf-forms': 0.5, 'form-design': 0.3, 'release-notes': 0.1, 'deploy-form': 0.1 };
    const belief = { choice: 'pdf-forms', yes: { ...OPEN, 'fits.pdf-forms': 0.9 }, probabilities };
    const { answer } = await askBelieving(belief, { strategy, limit: 2 });
    expect(answer.candidates.map(({ id, score }) => [id, score])).toEqual([
      ['pdf-forms', 0.5],
      ['form-design', 0.3],
    ]);
  });

  it('answers for an empty catalog', async () => {
    const { answer } = await askBelieving({ choice: '(none)', yes: OPEN }, { strategy, skills: [] });
    expect(answer).toMatchObject({ needsSkill: true, suggestion: null, candidates: [] });
    expect(answer.reason).toContain('there are no skills');
  });
});

describe('shards', () => {
  const skills = makeSkills(
    Object.fromEntries(
      Array.from({ length: 7 }, (_, number) => [`skill-${number}`, { body: `Body ${number}.\n` }]),
    ),
  );
  const fits = Object.fromEntries(skills.map(({ name }) => [`fits.${name}`, 0.8]));

  it('asks every shard, then reads the best three closely', async () => {
    const server = await startDecisionServer((request, response) => {
      const { choice } = request.body.questions;
      const offered = Object.keys(choice.criteria).filter((id) => id !== '(none)');
      const probabilities = Object.fromEntries(offered.map((id) => [id, Number(id.at(-1)) / 10]));
      const best = offered.at(-1) ?? '(none)';
      believe('systemone', { choice: best, probabilities, yes: { ...OPEN, ...fits } })(request, response);
    });
    const setting = {
      baseURL: server.url,
      strategy: 'shards' as const,
      shardSize: 3,
      skills,
      task: 'anything',
    };
    const answer = await askModel(setting);
    const options = server.seen.map(({ body }) => Object.keys(body.questions.choice.criteria));
    expect(options.slice(0, 3).sort()).toEqual([
      ['skill-0', 'skill-1', 'skill-2', '(none)'],
      ['skill-3', 'skill-4', 'skill-5', '(none)'],
      ['skill-6', '(none)'],
    ]);
    expect(options.slice(3)).toEqual([['skill-6', 'skill-5', 'skill-4', '(none)']]);
    const gated = server.seen.filter(({ body }) => 'procedure' in body.questions);
    expect(gated).toHaveLength(1);
    expect(Object.keys(gated[0]?.body.questions.choice.criteria ?? {})).toContain('skill-0');
    const second = server.seen[3]?.body.questions;
    expect(second.choice.criteria['skill-6']).toBe('The skill skill-6.\nBody 6.\n');
    expect(Object.keys(second).sort()).toEqual(['choice', 'fits.skill-4', 'fits.skill-5', 'fits.skill-6']);
    expect(answer.candidates.map(({ id }) => id)).toEqual([
      'skill-6',
      'skill-5',
      'skill-4',
      'skill-3',
      'skill-2',
    ]);
    expect(answer.suggestion).toBe('skill-4');
  });

  it('asks no second time when the gate is closed', async () => {
    const closed = { procedure: 0, general: 1, guide: 0, named: 0 };
    const setting = { strategy: 'shards' as const, shardSize: 4, skills };
    const { answer, seen } = await askBelieving({ choice: '(none)', yes: closed }, setting);
    expect(answer).toMatchObject({ needsSkill: false, suggestion: null });
    expect(seen).toHaveLength(2);
  });
});

describe('thresholds', () => {
  it('of a config entry win as a whole', () => {
    const defaults = { action: 0.3, named: 0.5, fits: 0.3 };
    expect(chooseThresholds(undefined, undefined)).toEqual(defaults);
    expect(chooseThresholds(undefined, { fits: 0.9 })).toEqual({ ...defaults, fits: 0.9 });
    expect(chooseThresholds({ action: 0.1 }, { action: 0.2, fits: 0.9 })).toEqual({
      ...defaults,
      action: 0.1,
    });
    expect(chooseThresholds({}, { fits: 0.9 })).toEqual(defaults);
    expect(chooseThresholds({ action: 0, named: 0, fits: 0 }, undefined)).toEqual({
      action: 0,
      named: 0,
      fits: 0,
    });
  });
});

it('one deadline holds for both rounds together', async () => {
  const slow = believe('systemone', { choice: 'pdf-forms', yes: { ...OPEN, 'fits.pdf-forms': 0.9 } });
  const server = await startDecisionServer((request, response) => {
    setTimeout(() => slow(request, response), 400);
  });
  const start = performance.now();
  const answer = await askModel({ baseURL: server.url, strategy: 'shards', timeoutMs: 600 });
  expect(answer).toMatchObject({ ranker: 'bm25-fallback', reason: 'no answer within 600 ms' });
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(server.seen).toHaveLength(2);
});
