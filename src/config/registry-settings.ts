import { isAbsolute, join } from 'node:path';
import {
  type RegistryConfig,
  type RegistryConfigFault,
  readRegistryConfig,
  registryFile,
} from './registry-config.js';

/** What the variables say about the registry, read once at start. */
export interface RegistrySettings {
  readonly config: RegistryConfig | RegistryConfigFault;
  /** Where the file is, or would be; absolute. */
  readonly configFile: string;
  /** Absolute; the programs that are started get it as HOME even where ours is missing. */
  readonly home: string;
  readonly searchPath: string;
  /** GH_BIN, when set. */
  readonly ghBin: string | undefined;
  /** The whole environment of gh. */
  readonly ghEnv: Readonly<Record<string, string>>;
  readonly ghTimeoutMs: number;
  /** Largest file that is published, bytes. */
  readonly maxFileBytes: number;
  /** Absolute. */
  readonly cacheDirectory: string;
  /** What goes to stderr where SKILL_MCP_LOG_LEVEL does not say. */
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** What was wrong with a variable: one line for stderr each. */
  readonly notes: readonly string[];
}

/** A file travels as base64 through a channel of 16 MiB, and a third more than that does not fit. */
export const MAX_FILE_BYTES = 11 * 1024 * 1024;

const DEFAULT_FILE_BYTES = 2 * 1024 * 1024;
const DEFAULT_TIMEOUT_S = 30;
const MAX_TIMEOUT_S = 300;

// Everything else stays away from gh: GH_HOST redirects calls, GH_DEBUG floods, CLICOLOR_FORCE colours the JSON.
const PASSED_TO_GH = [
  ...['PATH', 'USER', 'LANG', 'XDG_CONFIG_HOME', 'GH_CONFIG_DIR'],
  ...['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'DBUS_SESSION_BUS_ADDRESS'],
];

/** Reads the registry's variables. A bad value costs itself; a missing configuration is a `fault` in `config`. */
export function readRegistrySettings(
  variables: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
): RegistrySettings {
  const notes: string[] = [];
  const known = home !== undefined && isAbsolute(home) ? home : '/';
  const directory = (name: string, fallback: string): string => {
    const value = variables[name];
    return value !== undefined && isAbsolute(value) ? value : fallback;
  };
  const configFile = registryFile(directory('XDG_CONFIG_HOME', join(known, '.config')));
  return Object.freeze({
    config: Object.freeze(readRegistryConfig(variables.SKILLS_REGISTRY, configFile)),
    configFile,
    home: known,
    searchPath: variables.PATH ?? '',
    ghBin: variables.GH_BIN?.trim() || undefined,
    ghEnv: Object.freeze(chooseGhEnv(variables, known)),
    // The supervisor's clock begins at one millisecond: 0 s means at once.
    ghTimeoutMs: Math.max(1, Math.round(readTimeout(variables.SKILLS_GH_TIMEOUT, notes) * 1_000)),
    maxFileBytes: readFileBytes(variables.SKILLS_MAX_FILE_BYTES, notes),
    cacheDirectory: directory(
      'SKILLS_MCP_CACHE',
      join(directory('XDG_CACHE_HOME', join(known, '.cache')), 'skills-mcp'),
    ),
    logLevel: readLogLevel(variables.SKILLS_LOG_LEVEL, notes),
    notes,
  });
}

function chooseGhEnv(
  variables: Readonly<Record<string, string | undefined>>,
  home: string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of PASSED_TO_GH) {
    const value = variables[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, HOME: home, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' };
}

function readTimeout(text: string | undefined, notes: string[]): number {
  if (text === undefined || text.trim() === '') return DEFAULT_TIMEOUT_S;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return Math.min(seconds, MAX_TIMEOUT_S);
  notes.push(`SKILLS_GH_TIMEOUT is no number of seconds from 0 on; ${DEFAULT_TIMEOUT_S} counts`);
  return DEFAULT_TIMEOUT_S;
}

const LOG_LEVELS: ReadonlyMap<string, RegistrySettings['logLevel']> = new Map([
  ['DEBUG', 'debug'],
  ['INFO', 'info'],
  ['WARN', 'warn'],
  ['WARNING', 'warn'],
  ['ERROR', 'error'],
  ['CRITICAL', 'error'],
  ['SILENT', 'silent'],
]);

function readLogLevel(text: string | undefined, notes: string[]): RegistrySettings['logLevel'] {
  if (text === undefined || text.trim() === '') return 'info';
  const level = LOG_LEVELS.get(text.trim().toUpperCase());
  if (level === undefined) notes.push('SKILLS_LOG_LEVEL is no level; INFO counts');
  return level ?? 'info';
}

function readFileBytes(text: string | undefined, notes: string[]): number {
  if (text === undefined || text.trim() === '') return DEFAULT_FILE_BYTES;
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes < 1) {
    notes.push(`SKILLS_MAX_FILE_BYTES is no number of bytes; ${DEFAULT_FILE_BYTES} counts`);
    return DEFAULT_FILE_BYTES;
  }
  if (bytes > MAX_FILE_BYTES) notes.push(`SKILLS_MAX_FILE_BYTES is over ${MAX_FILE_BYTES}, which counts`);
  return Math.min(bytes, MAX_FILE_BYTES);
}
