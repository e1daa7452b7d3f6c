import type { RegistrySettings } from '../../config/registry-settings.js';
import type { Operation } from '../../registry/operation.js';
import type { Registry } from '../../registry/registry.js';

/** What a subcommand may use. */
export interface CommandContext {
  readonly settings: RegistrySettings;
  readonly operation: Operation;
  /** Base of relative paths, absolute. */
  readonly cwd: string;
  /** The registry; rejects with a StartFailure when there is no configuration or no gh. */
  readonly registry: () => Promise<Registry>;
  /** Says something that does not belong to the answer, on stderr. */
  readonly say: (line: string) => void;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** The answer of a subcommand: lines for people, and the same as one value for `--json`. */
export interface CommandAnswer {
  readonly text: string;
  readonly json: Record<string, unknown>;
  /** 1 where the work was done and what it found is bad. */
  readonly exitCode?: 0 | 1;
}

/** The values of the options as parseArgs gives them. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** One subcommand of `skill-mcp registry`. */
export interface Subcommand {
  readonly name: string;
  /** Its arguments, for the usage. */
  readonly shape: string;
  /** What it does, for the usage. */
  readonly summary: string;
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  /** Names of the arguments that have to be there. */
  readonly positionals: readonly string[];
  readonly run: (
    context: CommandContext,
    positionals: readonly string[],
    options: OptionValues,
  ) => Promise<CommandAnswer>;
}

/** The text of an option, undefined when it was not given. */
export function readOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
