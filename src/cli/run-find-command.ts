import { dirname, join } from 'node:path';
import { composeFind, type FindParts } from '../app/find-parts.js';
import { CatalogService } from '../catalog/catalog-service.js';
import { CommandLineError } from '../config/command-line.js';
import { readSettings } from '../config/environment.js';
import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { Command, CommandInput } from './command.js';
import { type CommandEdges, FAILED, type FindCommand } from './find-command.js';

const MAX_MESSAGE_CHARACTERS = 2_000;

/** Of a terminal that does not tell its width. */
const USUAL_COLUMNS = 80;

/** A command of the group `find` as a subcommand of the program. Its failures are one line each on stderr. */
export function asSubcommand({ usage, help, run }: FindCommand): Command {
  return {
    usage: `${usage.map((line, index) => `${index === 0 ? 'usage:' : '      '} skill-mcp ${line}\n`).join('')}\n${help}`,
    run: async (input) => {
      const made: FindParts[] = [];
      const find: CommandEdges['find'] = (onProgress) => {
        const parts = composeParts(input, onProgress);
        made.push(parts);
        return parts;
      };
      try {
        return await run(input.arguments, { ...readEdges(input), find });
      } catch (error) {
        return explain(error, input);
      } finally {
        await Promise.all(made.map((parts) => parts.close()));
      }
    },
  };
}

function readEdges({ start, output, errors, now }: CommandInput): Omit<CommandEdges, 'find'> {
  const packageDirectory = dirname(start.packageSkills);
  const columns = 'columns' in errors && typeof errors.columns === 'number' ? errors.columns : 0;
  return {
    start,
    writeOut: (text) => output.write(text),
    writeError: (text) => errors.write(text),
    columns: errors.isTTY === true ? columns || USUAL_COLUMNS : undefined,
    program: [start.nodePath, join(packageDirectory, 'dist', 'skill-mcp.js')],
    packageDirectory,
    now,
  };
}

function composeParts(
  { start, now }: CommandInput,
  onProgress: Parameters<CommandEdges['find']>[0],
): FindParts {
  const commandLine = { roots: [], toolsets: 'find', help: false, version: false };
  const settings = readSettings({ ...start, arguments: commandLine });
  const { home, cwd } = start;
  // The same rule as in a server that only finds: the example skill of the package is nobody's answer.
  const service = settings.rootsFrom === 'default' ? undefined : new CatalogService(settings);
  const roots = service === undefined ? undefined : () => service.ready();
  return composeFind({ settings, home, cwd, roots, now, ...(onProgress !== undefined && { onProgress }) });
}

function explain(error: unknown, { errors }: CommandInput): number {
  if (error instanceof CommandLineError) throw new CommandLineError(redactSecrets(error.message));
  if (!(error instanceof Refusal)) throw error;
  const hint = error.hint === undefined ? '' : `; ${error.hint}`;
  errors.write(`skill-mcp: ${toOneLine(redactSecrets(`${error.message}${hint}`), MAX_MESSAGE_CHARACTERS)}\n`);
  return FAILED;
}
