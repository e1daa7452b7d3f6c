import { MAX_ARGUMENT_BYTES, RUN_ID_VARIABLE } from '../../supervisor/index.js';
import { isReservedName } from '../config/reserved-env.js';
import { Refusal } from '../errors/refusal.js';

/** Handed to every script where set: what programs need to find their way, and nothing secret. */
const FIXED_NAMES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'MCP_DATA_DIR'] as const;

/** Programs without a locale mistake UTF-8 for bytes. */
const DEFAULT_LANG = 'C.UTF-8';

/** The variables of one run, by name: the values stay where they are until the moment of the start. */
export interface ScriptVariables {
  /** Sorted names of everything that the script will see. */
  readonly names: readonly string[];
  /** Asked for and granted, but not set here. */
  readonly notSet: readonly string[];
  /** Asked for, granted and set: handed over. */
  readonly handedOver: readonly string[];
}

/** Decides which variables a script sees. Throws a Refusal for a value that no program can be started with. */
export function planVariables(
  granted: readonly string[],
  variables: ReadonlyMap<string, string>,
): ScriptVariables {
  const passable = [...new Set(granted)].filter((name) => !isReservedName(name));
  const handedOver = passable.filter((name) => variables.has(name)).sort();
  for (const name of handedOver) requirePassable(name, variables.get(name) ?? '');
  const fixed = FIXED_NAMES.filter((name) => name === 'LANG' || variables.has(name));
  return {
    names: [...new Set([...fixed, ...handedOver, RUN_ID_VARIABLE])].sort(),
    notSet: passable.filter((name) => !variables.has(name)).sort(),
    handedOver,
  };
}

/** Joins the planned names with their values. The supervisor adds the run's id by itself. */
export function joinValues(
  names: readonly string[],
  variables: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const values = names
    .filter((name) => name !== RUN_ID_VARIABLE)
    .map((name): [string, string] => [name, variables.get(name) ?? (name === 'LANG' ? DEFAULT_LANG : '')]);
  return Object.fromEntries(values);
}

function requirePassable(name: string, value: string): void {
  const bytes = Buffer.byteLength(name) + 1 + Buffer.byteLength(value);
  if (bytes <= MAX_ARGUMENT_BYTES) return;
  throw new Refusal(
    `the variable ${name} is ${bytes} bytes, at most ${MAX_ARGUMENT_BYTES} can be handed over`,
    {
      hint: 'hand large values over in a file or through stdin',
    },
  );
}
