import { toOneLine } from '../errors/sanitize.js';
import { RegistryFault } from './fault.js';
import { type ApiCall, type Gh, noLogin } from './gh.js';
import { type HttpReply, readErrorWords } from './http-reply.js';
import type { Operation } from './operation.js';
import { readRateLimit } from './rate-limit.js';

const MAX_WORDS = 400;

/** A request below `repos/OWNER/NAME`. */
export interface RepositoryCall extends Omit<ApiCall, 'path' | 'signal'> {
  /** Plain segments: they are percent-encoded here, so that `#`, `?`, `%`, blanks and `{owner}` survive. */
  readonly path: readonly string[];
  /** Such as `recursive=1`. */
  readonly query?: string;
  /** What is asked for, for the message when it is not there. */
  readonly what: string;
}

/** One repository on one host, with GitHub's answers turned into values or faults. */
export class GitHubRepository {
  readonly #gh: Gh;
  readonly #now: () => number;

  constructor(
    gh: Gh,
    readonly owner: string,
    readonly repo: string,
    now: () => number,
  ) {
    this.#gh = gh;
    this.#now = now;
  }

  get host(): string {
    return this.#gh.host;
  }

  /** `owner/name` as messages say it. */
  get name(): string {
    return `${this.owner}/${this.repo}`;
  }

  /** A 2xx or 304. Waits for rate limits while the operation can; throws a RegistryFault for anything else. */
  async request(operation: Operation, call: RepositoryCall): Promise<HttpReply> {
    const { path, query, what, ...rest } = call;
    const segments = ['repos', this.owner, this.repo, ...path].map(encodeURIComponent);
    const address = segments.join('/') + (query === undefined ? '' : `?${query}`);
    for (;;) {
      operation.check();
      const reply = await this.#gh.call({ ...rest, path: address, signal: operation.signal });
      if (reply.status < 300 || reply.status === 304) return reply;
      const waitMs = readRateLimit(reply, this.#now());
      if (waitMs === undefined) throw this.#explain(reply, what);
      if (!operation.canWait(waitMs)) throw this.#tooLong(waitMs, reply);
      // A refused request was not carried out, so every kind of it may be repeated.
      await operation.waitFor(waitMs);
    }
  }

  #tooLong(waitMs: number, { status }: HttpReply): RegistryFault {
    const seconds = Math.ceil(waitMs / 1_000);
    const at = new Date(this.#now() + waitMs).toISOString();
    return new RegistryFault(
      'rate-limit',
      `${this.host} limits the rate of requests: try again in ${seconds} s, at ${at}`,
      { status },
    );
  }

  #explain(reply: HttpReply, what: string): RegistryFault {
    const { status } = reply;
    const words = readErrorWords(reply);
    const said = words === undefined ? `HTTP ${status}` : `${toOneLine(words, MAX_WORDS)} (HTTP ${status})`;
    const details = { status, ...(words !== undefined && { words }) };
    if (status === 401) return noLogin(this.host, status);
    if (status === 403) {
      return new RegistryFault(
        'forbidden',
        `${this.host} does not allow this in ${this.name}: ${said}`,
        details,
      );
    }
    if (status === 404) {
      return new RegistryFault('missing', `${what} was not found in ${this.name}`, {
        ...details,
        hint: `a private repository looks missing to a login that cannot read it: gh auth status --hostname ${this.host}`,
      });
    }
    if (status === 409 && /empty/i.test(words ?? '')) {
      return new RegistryFault('empty', `${this.name} has no commit yet`, details);
    }
    if (status >= 500) return new RegistryFault('server', `${this.host} failed: ${said}`, details);
    return new RegistryFault('rejected', `${this.host} refuses ${what} in ${this.name}: ${said}`, details);
  }
}
