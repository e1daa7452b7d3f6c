import { composeFind, type FindParts } from '../app/find-parts.js';
import { CatalogService } from '../catalog/catalog-service.js';
import { CommandLineError } from '../config/command-line.js';
import { readSettings } from '../config/environment.js';
import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import { type Command, type CommandEdges, DONE, FAILED, MISUSED } from './command.js';
import { evalCommand } from './eval.js';
import { findCommand } from './find.js';
import { opencodeCommand } from './opencode.js';
import { sourcesCommand } from './sources.js';

const MAX_MESSAGE_CHARACTERS = 2_000;

/** Every command, by name. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['find', findCommand],
  ['sources', sourcesCommand],
  ['eval', evalCommand],
  ['opencode', opencodeCommand],
]);

/** True when the arguments name a command instead of saying how to serve. */
export function isCommand(argv: readonly string[]): boolean {
  const [first] = argv;
  return first !== undefined && !first.startsWith('-');
}

/** Runs the command that the arguments name; returns the exit code. Failures are one line each on stderr. */
export async function runCommand(
  argv: readonly string[],
  edges: Omit<CommandEdges, 'find'>,
): Promise<number> {
  const [name = '', ...args] = argv;
  const made: FindParts[] = [];
  try {
    const command = COMMANDS.get(name);
    if (command === undefined) {
      throw new CommandLineError(
        `unknown command ${JSON.stringify(name)}; there are: ${[...COMMANDS.keys()].join(', ')}`,
      );
    }
    if (args.some((argument) => argument === '--help' || argument === '-h') && args[0] !== '--json') {
      edges.writeOut(describeCommand(command));
      return DONE;
    }
    const find: CommandEdges['find'] = (onProgress) => {
      const parts = composeParts(edges, onProgress);
      made.push(parts);
      return parts;
    };
    return await command.run(args, { ...edges, find });
  } catch (error) {
    return explain(error, edges);
  } finally {
    await Promise.all(made.map((parts) => parts.close()));
  }
}

function composeParts(
  { start, now }: Omit<CommandEdges, 'find'>,
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

function describeCommand({ usage, help }: Command): string {
  return `usage:\n${usage.map((line) => `  skill-mcp ${line}\n`).join('')}\n${help}`;
}

function explain(error: unknown, { writeError }: Pick<CommandEdges, 'writeError'>): number {
  if (!(error instanceof Refusal) && !(error instanceof CommandLineError)) throw error;
  const hint = error instanceof Refusal && error.hint !== undefined ? `; ${error.hint}` : '';
  writeError(`skill-mcp: ${toOneLine(redactSecrets(`${error.message}${hint}`), MAX_MESSAGE_CHARACTERS)}\n`);
  return error instanceof Refusal ? FAILED : MISUSED;
}
