import { readFence } from './fence-settings.js';
import { readInterpreters } from './interpreters.js';
import { readRegistrySettings } from './registry-settings.js';
import { readRoots } from './roots.js';
import type { ConfirmMode, Settings } from './settings.js';
import type { StartInput } from './start-input.js';
import { readToolsets } from './toolsets.js';
import { ValueReader } from './value-reader.js';
import { VARIABLES } from './variables.js';

export type { StartInput } from './start-input.js';
export { VARIABLES, type VariableDoc } from './variables.js';

/** Variables that only a host sets: their mere presence means that somebody else's credentials are here. */
const HOST_MARKERS = ['MCP_SKILLS_PATH', 'MCP_HOST_METER_FILE', 'MCP_DATA_DIR', 'MCP_BLOB_BASE_URL'];

const CONFIRM_MODES = ['flag', 'token', 'ask', 'refuse'] as const satisfies readonly ConfirmMode[];
const LOG_LEVELS = [
  'silent',
  'error',
  'warn',
  'info',
  'debug',
] as const satisfies readonly Settings['logLevel'][];

/** Shortest key of confirmation tokens, bytes: the width of the digest that it keys. */
const MIN_SECRET_BYTES = 32;

/** Ours and without effect here: the mark of a script that started this server, and the knobs of our tests. */
const WITHOUT_EFFECT = /^SKILL_MCP_(?:RUN_ID$|TEST_)/;

/**
 * Turns variables and command line into one frozen value. A bad value costs itself and is named in `problems`;
 * only an unknown toolset throws (CommandLineError).
 */
export function readSettings(start: StartInput): Settings {
  const { variables, arguments: commandLine, nodePath } = start;
  const reader = new ValueReader(variables);
  const { roots, rootsFrom, problems } = readRoots(start);
  reader.problems.push(...problems);
  const toolsets =
    commandLine.toolsets === undefined
      ? readToolsets(variables.SKILL_MCP_TOOLSETS, 'SKILL_MCP_TOOLSETS')
      : readToolsets(commandLine.toolsets, '--toolsets');
  const seconds = (name: string, rule: { min: number; max: number; fallback: number }): number =>
    Math.round(reader.number(name, { ...rule, integer: false }) * 1000);
  const count = (name: string, rule: { min: number; max: number; fallback: number }): number =>
    reader.number(name, { ...rule, integer: true });
  const registry = toolsets.includes('registry') ? readRegistrySettings(variables, start.home) : undefined;
  const settings: Settings = {
    roots,
    rootsFrom,
    hosted: HOST_MARKERS.some((name) => variables[name] !== undefined),
    grantText: reader.text('MCP_SKILL_RUN'),
    interpreters: readInterpreters(variables.SKILL_MCP_INTERPRETERS, nodePath, (detail) =>
      reader.report('SKILL_MCP_INTERPRETERS', detail),
    ),
    confirmMode: reader.choice('SKILL_MCP_CONFIRM', CONFIRM_MODES, 'flag', 'refuse'),
    confirmTtlMs: seconds('SKILL_MCP_CONFIRM_TTL', { min: 1, max: 86_400, fallback: 600 }),
    confirmSecret: readSecret(reader),
    ...readFence(reader),
    killGraceMs: seconds('SKILL_MCP_KILL_GRACE', { min: 0, max: 5, fallback: 0.5 }),
    strictYaml: reader.flag('SKILL_MCP_STRICT_YAML'),
    depth: count('SKILL_MCP_DEPTH', { min: 1, max: 6, fallback: 1 }),
    maxSkills: count('SKILL_MCP_MAX_SKILLS', { min: 1, max: 1_000_000, fallback: 10_000 }),
    allowUnscrubbed: reader.flag('SKILL_MCP_ALLOW_UNSCRUBBED'),
    logLevel: reader.choice('SKILL_MCP_LOG_LEVEL', LOG_LEVELS, registry?.logLevel ?? 'warn', 'warn'),
    ...(registry !== undefined && { registry }),
    toolsets,
    variables: toMap(variables),
    problems: reader.problems,
  };
  reportUnknown(variables, reader);
  return Object.freeze(settings);
}

function readSecret(reader: ValueReader): string | undefined {
  const name = 'SKILL_MCP_CONFIRM_SECRET';
  const secret = reader.text(name);
  if (secret === undefined || Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return secret;
  reader.report(name, `must have at least ${MIN_SECRET_BYTES} bytes; a random key is used`);
  return undefined;
}

function reportUnknown(variables: StartInput['variables'], reader: ValueReader): void {
  const known = new Set(VARIABLES.map(({ name }) => name));
  const reported = new Set(reader.problems.map(({ path }) => path));
  for (const name of Object.keys(variables)) {
    if (!name.startsWith('SKILL_MCP_') || WITHOUT_EFFECT.test(name)) continue;
    if (known.has(name) || reported.has(name)) continue;
    reader.report(name, 'is not known to this version and has no effect');
  }
}

function toMap(variables: StartInput['variables']): ReadonlyMap<string, string> {
  const entries = Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return new Map(entries);
}
