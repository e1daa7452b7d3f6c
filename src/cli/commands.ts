import { CommandLineError } from '../config/command-line.js';
import type { Command } from './command.js';
import { doctor } from './doctor.js';

/**
 * Every subcommand by its name; without one the program is a server. One row here and one file beside this each.
 * Imported statically, since the program is one file that is parsed as a whole either way; whatever is dear to load
 * or to set up belongs into `run`.
 */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([['doctor', doctor]]);

/** The subcommand that a command line begins with; undefined when it begins with a flag or with nothing. */
export function findCommand(
  argv: readonly string[],
  commands: ReadonlyMap<string, Command> = COMMANDS,
): Command | undefined {
  const [name] = argv;
  if (name === undefined || name.startsWith('-')) return undefined;
  const command = commands.get(name);
  if (command !== undefined) return command;
  const known = [...commands.keys()].join(', ');
  throw new CommandLineError(`unknown command ${JSON.stringify(name)}; there are ${known}`);
}

/** True when the arguments of a subcommand ask how it is used. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}
