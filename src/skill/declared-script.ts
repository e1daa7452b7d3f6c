import { z } from 'zod';
import { isReservedName } from '../config/reserved-env.js';
import { brokenPathRule } from './safe-path.js';
import type { DeclaredScript } from './skill.js';
import { nameType } from './yaml-entries.js';

/** A script's budget when its entry names none, and the longest that it may ask for, seconds. */
const DEFAULT_TIMEOUT_S = 60;
const MAX_TIMEOUT_S = 300;

const KNOWN_KEYS: ReadonlySet<string> = new Set(['script', 'interpreter', 'timeout', 'env']);

const Row = z.record(z.string(), z.unknown());
const Identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** One entry of `mcp-host.run` that may stand, or the script that cannot run and why. */
export type ScriptResult =
  | { readonly script: string; readonly entry: DeclaredScript }
  | { readonly script: string | undefined; readonly reason: string };

/**
 * Reads one entry strictly: what is not understood refuses the entry, but for single variable names, which are left
 * out, and a timeout that is too long, which is clamped. Everything is reported, as the rest of a sentence.
 */
export function readDeclaredScript(row: unknown, report: (detail: string) => void): ScriptResult {
  const mapping = Row.safeParse(row);
  if (!mapping.success || Array.isArray(row)) {
    return refuse(undefined, `must be a mapping (got ${nameType(row)})`, report);
  }
  const { script, interpreter, timeout, env } = mapping.data;
  const unknown = Object.keys(mapping.data).filter((key) => !KNOWN_KEYS.has(key));
  if (unknown.length > 0) report(`: unknown keys ignored: ${unknown.join(', ')}`);
  if (typeof script !== 'string')
    return refuse(undefined, `script must be a path (got ${nameType(script)})`, report);
  const rule = brokenPathRule(script);
  if (rule !== undefined) {
    refuse(script, `script ${JSON.stringify(script)}: ${rule}`, report);
    return { script, reason: rule };
  }
  if (typeof interpreter !== 'string' || interpreter === '') {
    return refuse(script, `interpreter must be a name (got ${nameType(interpreter)})`, report);
  }
  const seconds = timeout ?? DEFAULT_TIMEOUT_S;
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    return refuse(script, 'timeout must be a number of seconds above 0', report);
  }
  if (seconds > MAX_TIMEOUT_S) report(`: timeout ${seconds} s clamped to ${MAX_TIMEOUT_S} s`);
  if (env !== undefined && env !== null && !Array.isArray(env)) {
    return refuse(script, `env must be a list of names (got ${nameType(env)})`, report);
  }
  const timeoutMs = Math.ceil(Math.min(seconds, MAX_TIMEOUT_S) * 1000);
  return { script, entry: { script, interpreter, timeoutMs, env: readNames(env ?? [], report) } };
}

function readNames(env: readonly unknown[], report: (detail: string) => void): string[] {
  const names: string[] = [];
  for (const candidate of env) {
    const name = Identifier.safeParse(candidate);
    if (!name.success) report(`: env ${JSON.stringify(candidate)} is not a variable name; it is left out`);
    else if (isReservedName(name.data)) report(`: env ${name.data} is reserved; no script is handed it`);
    else names.push(name.data);
  }
  return [...new Set(names)];
}

function refuse(
  script: string | undefined,
  reason: string,
  report: (detail: string) => void,
): { script: string | undefined; reason: string } {
  report(`: ${reason}; the entry is ignored`);
  return { script, reason };
}
