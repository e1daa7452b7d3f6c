import type { Readable, Writable } from 'node:stream';
import type { ScrubOutcome } from '../config/scrub-environ.js';
import type { StartInput } from '../config/start-input.js';

/** A stream that may be a terminal. */
export type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** The edges of the process, handed to a subcommand by the entry file. */
export interface CommandInput {
  /** What stands behind the subcommand's name. */
  readonly arguments: readonly string[];
  /** All that settings are read from, but for the command line, which is the subcommand's own. */
  readonly start: Omit<StartInput, 'arguments'>;
  readonly scrub: ScrubOutcome;
  readonly version: string;
  readonly input: Terminal<Readable>;
  /** The real stdout: what was asked for, and nothing else. */
  readonly output: Terminal<Writable>;
  /** stderr: progress and complaints. */
  readonly errors: Terminal<Writable>;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** A subcommand, in a file of its own. */
export interface Command {
  /** What `skill-mcp NAME --help` prints; ends with a newline. */
  readonly usage: string;
  /** Resolves to the exit code; throws a CommandLineError for arguments that it does not understand (code 2). */
  readonly run: (input: CommandInput) => Promise<number>;
}

/** A row of the table of subcommands. */
export interface CommandEntry {
  /** One line for --help. */
  readonly summary: string;
  /** Loads it when it is called: a server that starts pays for none of them. */
  readonly load: () => Promise<Command>;
}
