import { isAbsolute, relative } from 'node:path';
import { toOneLine } from '../../errors/sanitize.js';
import type { ScriptExplanation } from './explain-scripts.js';
import type { LintFinding } from './judge-problem.js';
import type { LintReport } from './lint-roots.js';

const MAX_LINE_CHARACTERS = 1_000;

/** A report for people: one line a finding, as compilers write them, then the scripts, then the sum. */
export function writeLint(report: LintReport, cwd: string): string {
  const findings = report.findings.map((finding) => writeFinding(finding, cwd));
  const scripts = report.scripts.map(writeScript);
  const sum = `${count(report.skills, 'skill')}, ${count(report.errors, 'error')}, ${count(report.warnings, 'warning')}`;
  return [...findings, ...scripts, sum].map((line) => `${toOneLine(line, MAX_LINE_CHARACTERS)}\n`).join('');
}

function writeFinding({ path, line, column, severity, rule, message }: LintFinding, cwd: string): string {
  const near = relative(cwd, path);
  const shown = near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
  const place = line === undefined ? '' : `:${line}:${column}`;
  return `${shown}${place}: ${severity}: ${message} [${rule}]`;
}

function writeScript({ skill, script, ...found }: ScriptExplanation): string {
  if (found.unavailable !== undefined) return `${skill}: ${script} cannot run here: ${found.unavailable}`;
  const variables = found.env?.length ? `asks for ${found.env.join(', ')}` : 'asks for no variables';
  return `${skill}: ${script} would run with ${found.command?.[0]}, at most ${(found.timeoutMs ?? 0) / 1000} s, ${variables}`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
