import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Whether the variables that this process was started with can still be read in /proc by others of its user. */
export type ScrubOutcome =
  | { readonly state: 'scrubbed' }
  | { readonly state: 'unsupported' }
  | { readonly state: 'failed'; readonly reason: string };

/** Positions of env_start and env_end among the fields that follow the command's name in /proc/self/stat. */
const ENV_START = 47;
const ENV_END = 48;

/**
 * Zeroes the block of variables that the kernel shows as /proc/PID/environ: a script of the same user could read
 * every credential there, on any version of Node. `variables` (the live ones) keep their values. Never throws.
 */
export function scrubEnviron(
  variables: Record<string, string | undefined>,
  platform: NodeJS.Platform,
): ScrubOutcome {
  if (platform !== 'linux') return { state: 'unsupported' };
  try {
    const values = Object.entries(variables);
    // Setting a variable anew moves it out of the block, so that zeroing does not take it away.
    restore(variables, values);
    zeroBlock();
    restore(variables, values);
    const left = readFileSync('/proc/self/environ').findIndex((byte) => byte !== 0);
    return left === -1 ? { state: 'scrubbed' } : failed('the block still holds text after it was zeroed');
  } catch (error) {
    return failed(
      error instanceof Error && 'code' in error ? String(error.code) : 'unexpected /proc/self/stat',
    );
  }
}

function failed(reason: string): ScrubOutcome {
  return { state: 'failed', reason };
}

function restore(
  variables: Record<string, string | undefined>,
  values: readonly (readonly [string, string | undefined])[],
): void {
  for (const [name, value] of values) variables[name] = value;
}

function zeroBlock(): void {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // The command's name may hold blanks and parentheses; the fields begin after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[ENV_START]);
  const end = Number(fields[ENV_END]);
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start <= 0 || end < start) {
    throw new RangeError('no block of variables');
  }
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    // The position must be a number: a BigInt is taken for "no position" and fails.
    writeSync(memory, Buffer.alloc(end - start), 0, end - start, start);
  } finally {
    closeSync(memory);
  }
}
