import { isAbsolute, join, resolve } from 'node:path';

/** Bound of each git call and each command of a source, s. */
const DEFAULT_SYNC_TIMEOUT_S = 45;
const MAX_SYNC_TIMEOUT_S = 300;

/** Where the find toolset keeps its things, and how long a sync may wait. */
export interface FindPaths {
  /** The config file, absolute. */
  readonly config: string;
  /** True when a variable named the file: whoever hosts this server has chosen it. */
  readonly isConfigGiven: boolean;
  /** Absolute directory. */
  readonly cache: string;
  /** Of each git call and each command, ms. */
  readonly syncTimeoutMs: number;
  /** What was wrong with a variable: its name and a phrase. */
  readonly problems: readonly { readonly variable: string; readonly detail: string }[];
}

/** Reads the variables of the find toolset. A blank one counts as unset; a bad one costs itself. */
export function readFindPaths(
  variables: ReadonlyMap<string, string>,
  home: string | undefined,
  cwd: string,
): FindPaths {
  const problems: { variable: string; detail: string }[] = [];
  const read = (name: string): string | undefined => {
    const value = variables.get(name)?.trim() ?? '';
    return value === '' || /^\$\{[^}]*\}$/.test(value) ? undefined : value;
  };
  const path = (name: string): string | undefined => {
    const value = read(name);
    if (value === undefined) return undefined;
    return resolve(cwd, home === undefined ? value : value.replace(/^~(?=$|[\\/])/, () => home));
  };
  // By its standard, a relative value of these variables is to be ignored.
  const base = (name: string, below: string): string => {
    const value = read(name);
    return value !== undefined && isAbsolute(value) ? value : join(home ?? cwd, below);
  };
  const given = path('SKILLS_MCP_CONFIG');
  return {
    config: given ?? join(base('XDG_CONFIG_HOME', '.config'), 'skills-mcp', 'config.json'),
    isConfigGiven: given !== undefined,
    cache: path('SKILLS_MCP_CACHE') ?? join(base('XDG_CACHE_HOME', '.cache'), 'skills-mcp'),
    syncTimeoutMs: readTimeoutMs(read('SKILLS_MCP_SYNC_TIMEOUT'), problems),
    problems,
  };
}

function readTimeoutMs(text: string | undefined, problems: { variable: string; detail: string }[]): number {
  if (text === undefined) return DEFAULT_SYNC_TIMEOUT_S * 1_000;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return Math.min(seconds, MAX_SYNC_TIMEOUT_S) * 1_000;
  problems.push({
    variable: 'SKILLS_MCP_SYNC_TIMEOUT',
    detail: `must be a number of seconds; ${DEFAULT_SYNC_TIMEOUT_S} is used`,
  });
  return DEFAULT_SYNC_TIMEOUT_S * 1_000;
}
