import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { ToolCommand, ToolOutcome } from '../process/tool-command.js';
import { RegistryFault } from './fault.js';
import { type HttpReply, parseHttpReply } from './http-reply.js';

/** gh's own exit code for "there is no token at all". */
const EXIT_NO_LOGIN = 4;

const MAX_WORDS = 300;

/** One call of GitHub's API. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Percent-encoded, without a leading slash. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface GhParts {
  readonly run: (command: ToolCommand) => Promise<ToolOutcome>;
  /** Absolute path of gh; rejects with GhMissing. */
  readonly file: () => Promise<string>;
  readonly env: Readonly<Record<string, string>>;
  readonly host: string;
  readonly timeoutMs: number;
}

/** GitHub through the user's own gh: its login, its proxy, its certificates; the token never comes to us. */
export class Gh {
  readonly #parts: GhParts;

  constructor(parts: GhParts) {
    this.#parts = parts;
  }

  get host(): string {
    return this.#parts.host;
  }

  /** Any HTTP status is an answer. Throws a RegistryFault when there is none: no login, no network, no time left. */
  async call({ method, path, body, headers, signal }: ApiCall): Promise<HttpReply> {
    const { run, file, env, host, timeoutMs } = this.#parts;
    const fields = {
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
      ...headers,
    };
    const args = ['api', '-i', '--hostname', host, '-X', method, path];
    for (const [name, value] of Object.entries(fields)) args.push('-H', `${name}: ${value}`);
    if (body !== undefined) args.push('--input', '-');
    let outcome: ToolOutcome;
    try {
      outcome = await run({
        name: 'gh',
        file: await file(),
        args,
        cwd: '/',
        env,
        timeoutMs,
        signal,
        ...(body !== undefined && { stdin: JSON.stringify(body) }),
      });
    } catch (error) {
      if (signal.aborted) throw new RegistryFault('cancelled', 'the call was cancelled');
      if (error instanceof Refusal)
        throw new RegistryFault('unreachable', `no answer from ${host}: ${error.message}`);
      throw error;
    }
    const reply = parseHttpReply(outcome.stdout);
    if (reply !== undefined) return reply;
    if (outcome.exitCode === EXIT_NO_LOGIN) throw noLogin(host);
    throw new RegistryFault('unreachable', `no answer from ${host}: ${this.#describe(outcome)}`, {
      hint: 'check the network and try again',
    });
  }

  /** gh's last words, without credentials: an address of a proxy may hold a password. */
  #describe({ exitCode, stderr }: ToolOutcome): string {
    let words = stderr
      .toString('utf8')
      .trim()
      .replace(/\/\/[^/@\s]+@/g, '//');
    for (const [name, value] of Object.entries(this.#parts.env)) {
      if (name.endsWith('_TOKEN') && value !== '') words = words.replaceAll(value, '***');
    }
    const line = toOneLine(words, MAX_WORDS);
    return line === '' ? `gh ended with ${exitCode === null ? 'a signal' : `code ${exitCode}`}` : line;
  }
}

/** The fault for which a login is the remedy. */
export function noLogin(host: string, status?: number): RegistryFault {
  return new RegistryFault('no-login', `gh is not logged in to ${host}`, {
    hint: `run gh auth login --hostname ${host}`,
    ...(status !== undefined && { status }),
  });
}
