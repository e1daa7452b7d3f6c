/** One row of the README's table of variables. */
export interface VariableDoc {
  readonly name: string;
  readonly meaning: string;
  readonly default: string;
}

/** Every variable that the server reads. A variable SKILL_MCP_* that is not in this table is reported. */
export const VARIABLES: readonly VariableDoc[] = Object.freeze([
  row(
    'MCP_SKILLS_PATH',
    'Roots, separated by `:` (`;` on Windows). Wins over everything and marks a hosted start',
  ),
  row(
    'SKILLS_DIR',
    'The same for local use; read when neither MCP_SKILLS_PATH nor `--root` names a root',
    'the package’s own skills',
  ),
  row(
    'MCP_SKILL_RUN',
    'JSON `[{skill, script, env?, sha256?}]`: what the owner lets run. It can only narrow',
    'the declaration; nothing where hosted',
  ),
  row('MCP_DATA_DIR', 'Writable directory that a host gives; handed to scripts. Marks a hosted start'),
  row('MCP_HOST_METER_FILE', 'Read for its presence alone: marks a hosted start'),
  row('MCP_BLOB_BASE_URL', 'Read for its presence alone: marks a hosted start'),
  row('SKILL_MCP_TOOLSETS', 'Groups of tools that are on, separated by commas; as `--toolsets`', 'serve'),
  row('SKILL_MCP_DEPTH', 'Directory levels below a root that are scanned, 1 to 6', '1'),
  row('SKILL_MCP_MAX_SKILLS', 'Skills at which the scan stops', '10000'),
  row('SKILL_MCP_STRICT_YAML', '`1`: a frontmatter with an unquoted `: ` is not mended', '0'),
  row(
    'SKILL_MCP_INTERPRETERS',
    'More interpreters: `name=/absolute/path`, separated by commas',
    'node alone',
  ),
  row('SKILL_MCP_CONFIRM', 'How a run is approved: `flag`, `token`, `ask` or `refuse`', 'flag'),
  row('SKILL_MCP_CONFIRM_TTL', 'Life of a confirmation token, seconds, 1 to 86400', '600'),
  row('SKILL_MCP_CONFIRM_SECRET', 'Key of the tokens, at least 32 bytes', 'random for each process'),
  row('SKILL_MCP_FENCE', 'How runs are contained: `auto`, `portable`, `namespace` or `sandbox`', 'auto'),
  row('SKILL_MCP_MIN_FENCE', 'No script runs below this level: `portable`, `namespace` or `sandbox`'),
  row('SKILL_MCP_SANDBOX_READ', 'Folders that scripts may read at `sandbox`, separated by `:`', 'none'),
  row('SKILL_MCP_SANDBOX_WRITE', 'The same with the right to write', 'MCP_DATA_DIR alone'),
  row(
    'SKILL_MCP_LIMITS',
    'Bounds of a script: `data=256M,nofile=256,fsize=64M,cpu=60`; `nproc` with RUN_AS; `memory`, `pids` with CGROUP',
  ),
  row('SKILL_MCP_RUN_AS', '`uid:gid` that scripts run as, and nothing else does; needs a server run by root'),
  row(
    'SKILL_MCP_CGROUP',
    'A writable directory of cgroup version 2; every run gets a group of its own in it',
  ),
  row('SKILL_MCP_NODE_PERMISSION', '`1`: scripts of `node` run under Node’s permission model', '0'),
  row('SKILL_MCP_KILL_GRACE', 'Between SIGTERM and SIGKILL, seconds, 0 to 5, decimals allowed', '0.5'),
  row(
    'SKILL_MCP_ALLOW_UNSCRUBBED',
    '`1`: hosted runs are allowed although the environment block could not be wiped',
    '0',
  ),
  row('SKILL_MCP_LOG_LEVEL', 'What goes to stderr: `silent`, `error`, `warn`, `info` or `debug`', 'warn'),
  row(
    'SKILLS_MCP_CONFIG',
    'The file that names the sources of skills',
    'skills-mcp/config.json in $XDG_CONFIG_HOME or ~/.config',
  ),
  row(
    'SKILLS_MCP_CACHE',
    'Directory for what was synced or fetched',
    'skills-mcp in $XDG_CACHE_HOME or ~/.cache',
  ),
  row('SKILLS_MCP_SYNC_TIMEOUT', 'Bound of each git call and each command of a sync, seconds', '45'),
  row(
    'SKILLS_MCP_OPENCODE_CONFIG',
    'The config that `skill-mcp opencode` works on',
    'opencode/opencode.jsonc in $XDG_CONFIG_HOME or ~/.config',
  ),
  row(
    'SKILLS_REGISTRY',
    'Repository of the registry: `owner/name` or `owner/name@branch`. Wins over `registry.toml`',
    'the file',
  ),
  row('GH_BIN', 'Absolute path of GitHub CLI', 'searched on PATH and in the usual places'),
  row('SKILLS_GH_TIMEOUT', 'Longest time of one call of GitHub, seconds, 0 to 300, decimals allowed', '30'),
  row('SKILLS_MAX_FILE_BYTES', 'Largest file that is published, bytes, at most 11534336', '2097152'),
  row('SKILLS_LOG_LEVEL', 'As SKILL_MCP_LOG_LEVEL, which wins, where the registry is on', 'INFO'),
  row('XDG_CONFIG_HOME', 'Base of `skills-mcp/registry.toml`', '`~/.config`'),
  row('XDG_CACHE_HOME', 'Base of the cache', '`~/.cache`'),
]);

function row(name: string, meaning: string, fallback = 'unset'): VariableDoc {
  return Object.freeze({ name, meaning, default: fallback });
}
