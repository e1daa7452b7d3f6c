import { describe, expect, it } from 'vitest';
import { harvestRequests } from '../../../src/find/evaluation/harvest.js';
import { readRequests } from '../../../src/find/evaluation/read-requests.js';
import { splitOf } from '../../../src/find/evaluation/request.js';
import { makeSkills } from '../../helpers/find-scope.js';

describe('a file of requests', () => {
  it('is one object a line; further fields, blank lines and a missing half are fine', () => {
    const text =
      '\uFEFF{"task": "a", "gold": "x", "split": "test"}\r\n\n{"task": "b", "gold": null, "kind": "odd"}\n';
    expect(readRequests(text, 'f.jsonl')).toEqual([
      { task: 'a', gold: 'x', split: 'test' },
      { task: 'b', gold: null, split: splitOf('b') },
    ]);
  });

  it.each([
    ['{"task": "a", "gold": null}\n{oops', 'f.jsonl:2: the line is not JSON'],
    ['\n\n["a"]', 'f.jsonl:3: '],
    ['{"gold": "x"}', 'f.jsonl:1: task '],
    ['{"task": " ", "gold": "x"}', 'f.jsonl:1: task must not be blank'],
    ['{"task": "a"}', 'f.jsonl:1: gold '],
    ['{"task": "a", "gold": 5}', 'f.jsonl:1: gold '],
    ['{"task": "a", "gold": "x", "split": "dev"}', 'f.jsonl:1: split '],
    ['', 'f.jsonl holds no requests'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => readRequests(text, 'f.jsonl')).toThrow(message);
  });

  it('falls into two halves of like size, always the same way', () => {
    const halves = Array.from({ length: 400 }, (_, number) => splitOf(`task ${number}`));
    const tuned = halves.filter((half) => half === 'tune').length;
    expect(tuned).toBeGreaterThan(150);
    expect(tuned).toBeLessThan(250);
    expect(splitOf('task 7')).toBe(halves[7]);
  });
});

describe('requests that skills bring along', () => {
  const skillsWith = (files: Record<string, string>) => {
    const [skill] = makeSkills({ pdf: { files } });
    if (skill === undefined) throw new Error('no skill');
    return [{ ...skill, files: Object.keys(files).map((path) => ({ path, size: 1 })) }];
  };

  it('are read in three shapes', async () => {
    const { requests, problems } = await harvestRequests(
      skillsWith({
        'evals/evals.json': '{"skill_name": "pdf", "evals": [{"prompt": "fill it", "expected_output": "x"}]}',
        'evals.json':
          '[{"question": "which?", "expected_skill": "other"}, {"question": "none", "expected_skill": null}]',
        'evals/trigger_eval.json':
          '[{"query": "yes", "should_trigger": true}, {"query": "no", "should_trigger": false}]',
        'data/my-evals.json.txt': 'not one of them',
      }),
    );
    expect(problems).toEqual([]);
    expect(requests.map(({ task, gold }) => [task, gold])).toEqual([
      ['fill it', 'pdf'],
      ['which?', 'other'],
      ['none', null],
      ['yes', 'pdf'],
      ['no', null],
    ]);
  });

  it('cost themselves when they are broken', async () => {
    const { requests, problems } = await harvestRequests(
      skillsWith({
        'a/evals.json': '{',
        'b/evals.json': '{"evals": "many"}',
        'c/evals.json': '[{"query": "fine", "should_trigger": true}]',
        'd/evals.json': '\0\0',
      }),
    );
    expect(requests.map(({ task }) => task)).toEqual(['fine']);
    expect(problems).toEqual([
      'pdf/a/evals.json: is not JSON',
      'pdf/b/evals.json: has none of the three known shapes',
      'pdf/d/evals.json: is no text, or over 1 MiB',
    ]);
  });
});
