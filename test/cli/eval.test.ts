import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SERVER } from '../helpers/raw-server.js';
import { makeDirectory, writeSkill } from '../helpers/skills.js';

const root = makeDirectory();
writeSkill(root, 'pdf-forms', {
  description: 'Fill in PDF forms.',
  files: {
    'evals/evals.json': '{"skill_name": "pdf-forms", "evals": [{"prompt": "fill in this PDF form"}]}',
  },
});
writeSkill(root, 'slides', { description: 'Outline slides.', files: { 'evals.json': '{' } });

function runEval(...args: string[]) {
  const env = { PATH: '/usr/bin:/bin', SKILLS_DIR: root, SKILLS_MCP_CONFIG: path.join(root, 'none.json') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER, 'eval', ...args], {
    env,
    encoding: 'utf8',
    cwd: root,
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

const ROWS = [
  { task: 'fill in a PDF form', gold: 'pdf-forms', split: 'tune' },
  { task: 'outline my slides', gold: 'slides', split: 'test' },
  { task: 'why is the sky blue', gold: null, split: 'test' },
  { task: 'groom a horse', gold: 'horse-care', split: 'test' },
];
writeFileSync(path.join(root, 'rows.jsonl'), ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));

describe('skill-mcp eval', () => {
  it('counts a file of requests, half by half, and sweeps [find.eval]', () => {
    const { status, stdout, stderr } = runEval('--requests', 'rows.jsonl', '--json', '--sweep');
    expect([status, stderr]).toEqual([0, '']);
    const evaluation = JSON.parse(stdout);
    expect(evaluation).toMatchObject({ requests: 3, skipped: 1, skills: 2, rankers: { bm25: 3 } });
    expect(evaluation.splits.all).toMatchObject({
      covered: 2,
      uncovered: 1,
      right: 2,
      wrong: 0,
      silent: 0,
      needless: 0,
    });
    expect(evaluation.splits.tune).toMatchObject({ covered: 1, uncovered: 0, right: 1 });
    expect(evaluation.splits.test).toMatchObject({ covered: 1, uncovered: 1, right: 1 });
    expect(evaluation.splits.all.intervals.right).toEqual([1, 1]);
    for (const row of evaluation.sweep) {
      expect(Object.keys(row)).toEqual(['threshold', 'right', 'wrong', 'silent', 'needless']);
    }
    expect(evaluation.sweep.length).toBeGreaterThan(4);
  });

  it('prints a table for people', () => {
    const { status, stdout } = runEval('--requests', 'rows.jsonl');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^3 requests, 1 skipped/);
    expect(stdout).toMatch(/^all +2 +100\.0% \[100\.0%, 100\.0%\]/m);
  });

  it('takes the requests of the skills themselves, and names those it cannot read', () => {
    const { status, stdout, stderr } = runEval('--from-skills', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ requests: 1, splits: { all: { right: 1 } } });
    expect(stderr).toBe('skill-mcp: slides/evals.json: is not JSON\n');
  });

  it('ends with 1 and the place of a malformed line', () => {
    writeFileSync(path.join(root, 'bad.jsonl'), `${JSON.stringify(ROWS[0])}\n{"task": 5}\n`);
    const { status, stdout, stderr } = runEval('--requests', 'bad.jsonl', '--json');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^skill-mcp: bad\.jsonl:2: task .*\n$/);
  });

  it('ends with 1 for a file that is not there, and with 2 for a command line that says too little', () => {
    const missing = runEval('--requests', 'nowhere.jsonl');
    expect(missing.status).toBe(1);
    expect(missing.stderr).toMatch(/nowhere\.jsonl cannot be read: ENOENT/);
    for (const args of [
      [],
      ['--json'],
      ['--requests', 'rows.jsonl', '--from-skills'],
      ['--magic'],
      ['rows.jsonl'],
    ]) {
      const { status, stderr } = runEval(...args);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining('usage: eval --requests FILE | --from-skills'),
      ]);
    }
    expect(runEval('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--sweep') });
  });
});
