import type { CommandLine } from './command-line.js';
import type { Settings } from './settings.js';

/** All that a start may depend on, handed in by the entry file: nothing below reads it by itself. */
export interface StartInput {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly arguments: CommandLine;
  /** The package's own skills/ directory, absolute: what a bare start serves. */
  readonly packageSkills: string;
  /** This process's executable, absolute: the interpreter `node`. */
  readonly nodePath: string;
  /** What `~` stands for; undefined where nobody knows. */
  readonly home: string | undefined;
  /** Base of relative roots, absolute. */
  readonly cwd: string;
}

/** One row of the README's table of variables. */
export interface VariableDoc {
  readonly name: string;
  readonly meaning: string;
  readonly default: string;
}

/** Every variable that the server reads. */
export const VARIABLES: readonly VariableDoc[] = Object.freeze([]);

/**
 * Turns variables and command line into one frozen value. A bad value costs itself and is named in `problems`;
 * only an unknown toolset throws (CommandLineError).
 */
export function readSettings(_start: StartInput): Settings {
  throw new Error('not written yet');
}
