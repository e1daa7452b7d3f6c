import type { FindParts } from '../app/find-parts.js';
import type { StartInput } from '../config/start-input.js';
import type { SyncProgress } from '../source/source.js';

/** What a command may use of the world around it. */
export interface CommandEdges {
  readonly start: Omit<StartInput, 'arguments'>;
  /** Results, and help that was asked for. */
  readonly writeOut: (text: string) => void;
  /** Failures and progress. */
  readonly writeError: (text: string) => void;
  /** Columns of the terminal behind stderr; undefined where nobody watches. */
  readonly columns: number | undefined;
  /** This very program, to be started by others: executable and entry file, absolute. */
  readonly program: readonly [string, string];
  /** The package's directory, absolute. */
  readonly packageDirectory: string;
  /** Ms since 1970. */
  readonly now: () => number;
  /** The parts of the group `find`, made when first needed and ended with the command. */
  readonly find: (onProgress?: SyncProgress) => FindParts;
}

/** Exit codes of all commands. */
export const DONE = 0;
export const FAILED = 1;
export const MISUSED = 2;

/** One command of the group `find`. */
export interface FindCommand {
  /** How it is called, without the program's name. */
  readonly usage: readonly string[];
  readonly help: string;
  /** Takes what follows its name; returns the exit code. Throws a Refusal (1) or a CommandLineError (2). */
  readonly run: (args: readonly string[], edges: CommandEdges) => Promise<number>;
}

/** Prints a result as JSON that a person can read too. */
export function printJson({ writeOut }: CommandEdges, value: unknown): void {
  writeOut(`${JSON.stringify(value, undefined, 2)}\n`);
}
