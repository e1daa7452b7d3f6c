import type { CommandLine } from './command-line.js';

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
