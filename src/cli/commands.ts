import { CommandLineError } from '../config/command-line.js';
import type { Command, CommandEntry } from './command.js';
import { doctor } from './doctor.js';
import { evalCommand } from './eval.js';
import { findCommand as whichSkill } from './find.js';
import { lint } from './lint.js';
import { opencodeCommand } from './opencode.js';
import { registryCommand } from './registry/run-registry.js';
import { asSubcommand } from './run-find-command.js';
import { sourcesCommand } from './sources.js';

/** Every subcommand by its name; without one the program is a server. One row here and one file beside this each. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  [
    'doctor',
    {
      summary: 'tell what this machine gives: fence, interpreters, roots, grant',
      load: async () => doctor,
    },
  ],
  ['lint', { summary: 'say what is wrong with skills, for their authors', load: async () => lint }],
  ['find', { summary: 'print which skill fits a task', load: async () => asSubcommand(whichSkill) }],
  [
    'sources',
    {
      summary: 'list, add, sync and remove the sources that skills come from',
      load: async () => asSubcommand(sourcesCommand),
    },
  ],
  ['eval', { summary: 'count how often find is right', load: async () => asSubcommand(evalCommand) }],
  [
    'opencode',
    {
      summary: "move OpenCode's list of skills to this server, and back",
      load: async () => asSubcommand(opencodeCommand),
    },
  ],
  [
    'registry',
    {
      summary: 'list, get, install, publish and verify skills of a GitHub repository',
      // In the one file of the build a dynamic import would only upset the order of its modules.
      load: async () => registryCommand,
    },
  ],
]);

/** The subcommand that a command line begins with; undefined when it begins with a flag or with nothing. */
export async function findCommand(
  argv: readonly string[],
  commands: ReadonlyMap<string, CommandEntry> = COMMANDS,
): Promise<Command | undefined> {
  const [name] = argv;
  if (name === undefined || name.startsWith('-')) return undefined;
  const entry = commands.get(name);
  if (entry !== undefined) return entry.load();
  const known = [...commands.keys()].join(', ');
  const hint = known === '' ? 'there are no subcommands' : `there are ${known}`;
  throw new CommandLineError(`unknown command ${JSON.stringify(name)}; ${hint}`);
}

/** True when the arguments of a subcommand ask how it is used. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}
