import { dirname } from 'node:path';
import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import { findProgram } from '../process/find-program.js';
import type { ToolRunner } from '../process/tool-command.js';

const MAX_MESSAGE_CHARACTERS = 300;

/** All that git sees of our variables. Never a key or a token, and no GIT_* that would lead it elsewhere. */
const ALLOWED = [
  'PATH',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'SSH_AUTH_SOCK',
  'DBUS_SESSION_BUS_ADDRESS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** Counts over the user's own configuration in every call. */
const SETTINGS = [
  // The one transport that is a command line.
  'protocol.ext.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  // The bytes of the commit, whatever this machine does to its own checkouts.
  'core.autocrlf=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'advice.detachedHead=false',
];

const UNREACHABLE =
  /could not resolve|failed to connect|unable to access|timed out|connection (?:reset|refused)|not appear to be a git repository|repository .*not (?:found|exist)|transport '\w+' not allowed/i;

/** git said no. The message is one line without anything secret. */
export class GitFailure extends Refusal {
  override readonly name = 'GitFailure';
  /** True when the network or the server failed, so that asking in another way cannot help. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** What git is started with. */
export interface GitOptions {
  readonly runner: Pick<ToolRunner, 'run'>;
  readonly variables: ReadonlyMap<string, string>;
  /** HOME of git, so that the user's configuration counts. */
  readonly home: string | undefined;
  /** Of one call, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Runs git with an environment of its own. */
export class Git {
  readonly #options: GitOptions;
  readonly #env: Readonly<Record<string, string>>;

  constructor(options: GitOptions) {
    this.#options = options;
    this.#env = makeGitEnvironment(options.variables, options.home);
  }

  /** Whole stdout of a call that ended with 0. Throws a GitFailure, or a Refusal when git cannot be run to its end. */
  async run(cwd: string, args: readonly string[], stdin?: string): Promise<string> {
    const { runner, timeoutMs, signal } = this.#options;
    const file = await findProgram('git', this.#env.PATH);
    if (file === undefined) throw new GitFailure('git is not on PATH; GitHub sources need it', true);
    const settings = [...SETTINGS, `safe.directory=${cwd}`].flatMap((setting) => ['-c', setting]);
    const outcome = await runner.run({
      name: 'git',
      file,
      args: [...settings, ...args],
      cwd,
      // A repository around the cache is not ours to run in.
      env: { ...this.#env, GIT_CEILING_DIRECTORIES: dirname(cwd) },
      timeoutMs,
      ...(stdin !== undefined && { stdin }),
      ...(signal !== undefined && { signal }),
    });
    if (outcome.exitCode === 0) return outcome.stdout.toString('utf8');
    throw explainFailure(outcome.stderr.toString('utf8'), outcome.exitCode);
  }
}

function makeGitEnvironment(
  variables: ReadonlyMap<string, string>,
  home: string | undefined,
): Record<string, string> {
  const env: Record<string, string> = {
    HOME: variables.get('HOME') ?? home ?? '/',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
  };
  for (const name of ALLOWED) {
    const value = variables.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function explainFailure(stderr: string, exitCode: number | null): GitFailure {
  const status = /returned error: (\d{3})/.exec(stderr)?.[1];
  const said = toOneLine(redactSecrets(pickLine(stderr)), MAX_MESSAGE_CHARACTERS);
  if (status !== undefined) return new GitFailure(`HTTP ${status}: ${explainStatus(status)} (${said})`, true);
  if (/could not read (?:Username|Password)|Authentication failed|terminal prompts disabled/i.test(stderr)) {
    return new GitFailure(`not found or no access: a login is asked for (${said})`, true);
  }
  const message = said === '' ? `git ended with ${exitCode === null ? 'a signal' : exitCode}` : said;
  return new GitFailure(message, UNREACHABLE.test(stderr));
}

function explainStatus(status: string): string {
  switch (status) {
    case '401':
      return 'no access';
    case '403':
      return 'rate limit or no access';
    case '404':
      return 'not found or no access';
    case '429':
      return 'rate limit';
    default:
      return 'the server refused';
  }
}

/** The line that says most: the reason stands in the first that git itself calls fatal or an error. */
function pickLine(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const telling =
    lines.find((line) => line.startsWith('fatal: ')) ?? lines.find((line) => line.startsWith('error: '));
  return telling ?? lines.at(-1) ?? '';
}
