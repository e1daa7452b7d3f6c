import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandLineError } from '../config/command-line.js';
import { readSettings } from '../config/environment.js';
import type { Command, CommandInput } from './command.js';
import { lintRoots } from './lint/lint-roots.js';
import { writeLint } from './lint/lint-text.js';

const USAGE = `usage: skill-mcp lint DIR... [--json]

Says what the server would say about the skills under each DIR, and where they depart from the Agent Skills
specification: path, line and column, error or warning; then what the declared scripts would run.

  --json             one line of JSON instead
  -h, --help         print this text

Exit code 0 without errors, 1 with errors, 2 for a bad command line.
`;

/** Progress is redrawn this often, ms: an eye sees no more. */
const REDRAW_MS = 100;

/** `skill-mcp lint`: the server's eyes, for authors. */
export const lint: Command = {
  usage: USAGE,
  run,
};

async function run(input: CommandInput): Promise<number> {
  const { directories, json } = parseArguments(input.arguments);
  const { start, output, errors } = input;
  const settings = readSettings({
    ...start,
    arguments: { roots: directories, toolsets: undefined, help: false, version: false },
  });
  const roots = [...new Set(directories.map((directory) => resolve(start.cwd, directory)))];
  const progress = showProgress(errors);
  const report = await lintRoots({
    settings: { ...settings, roots },
    interpreters: settings.interpreters,
    now: input.now,
    onProgress: progress.show,
  });
  progress.clear();
  output.write(json ? `${JSON.stringify(report)}\n` : writeLint(report, start.cwd));
  return report.errors > 0 ? 1 : 0;
}

function parseArguments(argv: readonly string[]): { directories: readonly string[]; json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { json: { type: 'boolean' } },
    });
    if (positionals.length === 0 || positionals.some((directory) => directory.trim() === ''))
      throw new Error('lint needs a directory');
    return { directories: positionals, json: values.json ?? false };
  } catch (error) {
    const [reason = 'unreadable arguments'] = error instanceof Error ? error.message.split(/[.\n]/) : [];
    throw new CommandLineError(`${reason}; try lint --help`);
  }
}

/** A counter on a terminal; nothing at all in a pipe. */
function showProgress(errors: CommandInput['errors']) {
  let drawnMs = -Infinity;
  return {
    show: (read: number): void => {
      const nowMs = performance.now();
      if (errors.isTTY !== true || nowMs - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs;
      errors.write(`\r${read} skills read`);
    },
    clear: (): void => {
      // Back to the line's beginning, and away with what stands on it.
      if (drawnMs > 0) errors.write('\r\u001b[K');
    },
  };
}
