import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandLineError } from '../config/command-line.js';
import { describeErrno } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { type Evaluation, evaluate } from '../find/evaluation/evaluate.js';
import { harvestRequests } from '../find/evaluation/harvest.js';
import { readRequests } from '../find/evaluation/read-requests.js';
import type { LabelledRequest } from '../find/evaluation/request.js';
import { sweepGate } from '../find/evaluation/sweep.js';
import type { Tally } from '../find/evaluation/tally.js';
import type { FindScope } from '../find/find.js';
import { type CommandEdges, DONE, type FindCommand, printJson } from './find-command.js';

const USAGE = 'eval --requests FILE | --from-skills [--json] [--sweep]';

/** Measures how often find is right on labelled requests. */
export const evalCommand: FindCommand = {
  usage: [USAGE],
  help: `Asks find a set of requests whose right answers are known, and counts.

  --requests FILE   one request a line: {"task": "…", "gold": "a-skill" or null, "split": "tune" or "test"};
                    gold null means that no skill should be suggested; a row without split belongs to either half
  --from-skills     the requests that skills bring along in evals.json or trigger_eval.json
  --json            print JSON instead of a table
  --sweep           also show what other thresholds of the lexical gate would have given; asks no decision model

right, wrong and silent are counted over the requests that a skill is right for, needless over the others. Choose
settings on the tune half and judge them by the test half.
`,
  run: async (args, edges) => {
    const options = parseOptions(args);
    const { view, finder } = edges.find();
    const { catalog, config, fault, configFault } = await view();
    const scope = { skills: catalog.ordered, config: options.sweep ? withoutModel(config) : config, fault };
    const requests = await collect(options, scope, edges);
    const evaluation: Evaluation = {
      ...(await evaluate(requests, scope, finder, new AbortController().signal)),
      ...(options.sweep && { sweep: await sweepGate(requests, scope) }),
    };
    if (options.json) printJson(edges, evaluation);
    else edges.writeOut(drawTable(evaluation));
    if (configFault !== undefined) throw new Refusal(configFault);
    return DONE;
  },
};

interface EvalOptions {
  /** As written; undefined: the skills' own requests. */
  readonly file: string | undefined;
  readonly json: boolean;
  readonly sweep: boolean;
}

function parseOptions(args: readonly string[]): EvalOptions {
  const values = parseValues(args);
  const { requests: file, 'from-skills': fromSkills = false, json = false, sweep = false } = values;
  if ((file !== undefined) === fromSkills) throw new CommandLineError(`usage: ${USAGE}`);
  return { file, json, sweep };
}

function parseValues(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        requests: { type: 'string' },
        'from-skills': { type: 'boolean' },
        json: { type: 'boolean' },
        sweep: { type: 'boolean' },
      },
    }).values;
  } catch {
    throw new CommandLineError(`usage: ${USAGE}`);
  }
}

function withoutModel(config: FindScope['config']): FindScope['config'] {
  return { ...config, decision: { ...config.decision, model: undefined } };
}

async function collect(
  { file }: EvalOptions,
  { skills }: FindScope,
  { start, writeError }: CommandEdges,
): Promise<readonly LabelledRequest[]> {
  if (file !== undefined) return readRequests(await readText(resolve(start.cwd, file), file), file);
  const { requests, problems } = await harvestRequests(skills);
  for (const problem of problems) writeError(`skill-mcp: ${problem}\n`);
  if (requests.length === 0) throw new Refusal('no skill of the catalog brings requests along');
  return requests;
}

async function readText(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Refusal(`${shown} cannot be read: ${describeErrno(error)}`);
  }
}

function drawTable({ requests, skipped, skills, rankers, splits, sweep }: Evaluation): string {
  const answered = Object.entries(rankers).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `${requests} requests, ${skipped} skipped because their skill is not here; ${skills} skills; answered by ${answered.join(', ')}`,
    '',
    row(['half', 'covered', 'right', 'wrong', 'silent', 'hit@1', 'hit@3', 'uncovered', 'needless']),
    ...Object.entries(splits).map(([name, half]) => row([name, ...describeTally(half)])),
  ];
  if (sweep !== undefined) {
    lines.push('', row(['threshold', 'right', 'wrong', 'silent', 'needless']));
    for (const { threshold, right, wrong, silent, needless } of sweep) {
      lines.push(row([threshold, right, wrong, silent, needless].map(String)));
    }
  }
  return `${lines.join('\n')}\n`;
}

function describeTally(half: Tally): string[] {
  const measure = (name: keyof Tally['rates']) => {
    const [low, high] = half.intervals[name];
    return `${percent(half.rates[name])} [${percent(low)}, ${percent(high)}]`;
  };
  const hits = (count: number) => percent(half.covered === 0 ? 0 : count / half.covered);
  return [
    String(half.covered),
    measure('right'),
    measure('wrong'),
    measure('silent'),
    hits(half.hit1),
    hits(half.hit3),
    String(half.uncovered),
    measure('needless'),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function row(cells: readonly string[]): string {
  const widths = [10, 9, 22, 22, 22, 8, 8, 11, 22];
  return cells.length === widths.length
    ? cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('')
        .trimEnd()
    : cells
        .map((cell) => cell.padEnd(10))
        .join('')
        .trimEnd();
}
