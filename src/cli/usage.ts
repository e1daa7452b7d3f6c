import type { CommandEntry } from './command.js';
import { COMMANDS } from './commands.js';

const HEAD = `skill-mcp: serves a directory of Agent Skills over MCP (stdio) and runs the scripts they declare

usage: skill-mcp [--root DIR]... [--toolsets NAMES]

  --root DIR         serve the skills under DIR; may be repeated. MCP_SKILLS_PATH wins over it
  --toolsets NAMES   groups of tools to switch on, separated by commas: serve, find, registry
  -v, --version      print the version
  -h, --help         print this text

Without a root the example skill of this package is served. Everything else is set by variables: see the README.
`;

/** Wide enough for the flags above, so that both columns stand below each other. */
const NAME_WIDTH = 17;

/** What --help prints: the flags of the server, then the subcommands. */
export function describeUsage(commands: ReadonlyMap<string, CommandEntry> = COMMANDS): string {
  if (commands.size === 0) return HEAD;
  const rows = [...commands].map(([name, { summary }]) => `  ${name.padEnd(NAME_WIDTH)}  ${summary}\n`);
  return `${HEAD}\nor: skill-mcp COMMAND [ARGUMENTS], with --help to see them; each ends by itself\n\n${rows.join('')}`;
}
