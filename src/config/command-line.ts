import { parseArgs } from 'node:util';

/** A command line or a toolset that cannot be understood: the program says why and exits with code 2. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** What stands on the command line after the program's own name. */
export interface CommandLine {
  /** One root for each `--root`, as written; never split. */
  readonly roots: readonly string[];
  /** Comma-separated names as written, undefined without `--toolsets`. */
  readonly toolsets: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

/** Reads the arguments; throws a CommandLineError for anything that is not known. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const values = parseValues(argv);
  const roots = values.root ?? [];
  return {
    roots,
    toolsets: values.toolsets,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: {
        root: { type: 'string', multiple: true },
        toolsets: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }).values;
  } catch (error) {
    // parseArgs explains itself over several sentences; the first one names the argument.
    const [reason = 'unreadable arguments'] = error instanceof Error ? error.message.split(/[.\n]/) : [];
    throw new CommandLineError(`${reason}; try --help`);
  }
}
