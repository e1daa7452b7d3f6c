/** Variables that no script may ask for and no grant can hand over: they steer this server, a host, or a loader. */
export const RESERVED_NAMES: readonly string[] = Object.freeze([
  // What a host or an owner says to this server.
  'MCP_SKILLS_PATH',
  'MCP_SKILL_RUN',
  'SKILLS_DIR',
  'MCP_HOST_METER_FILE',
  'MCP_BLOB_BASE_URL',
  'MCP_BLOB_SIGNING_KEY',
  // What makes an interpreter load code that nobody declared.
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_REPL_EXTERNAL_MODULE',
  'BASH_ENV',
  'ENV',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  // What shells set by themselves: a script's environment is exact.
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
]);

/** Every name that begins with one of these is reserved as well. */
export const RESERVED_PREFIXES: readonly string[] = Object.freeze([
  'LD_',
  'DYLD_',
  'NODE_CHANNEL_',
  'SKILL_MCP_',
]);

const reservedNames: ReadonlySet<string> = new Set(RESERVED_NAMES);

/** True for a variable that never reaches a script. Letter case is ignored: Windows knows none in such names. */
export function isReservedName(name: string): boolean {
  const upper = name.toUpperCase();
  return reservedNames.has(upper) || RESERVED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
