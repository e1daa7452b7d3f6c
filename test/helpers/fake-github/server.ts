import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, ApiError, send } from './answer.js';
import { BareRepository } from './bare-repository.js';
import { route } from './routes.js';

/** One request as it came in; `path` is still encoded. */
export interface LoggedRequest {
  method: string;
  path: string;
  host: string;
  status: number;
  authorization: string | undefined;
}

/** Something that goes wrong, once, at the first request it fits; later ones go through. */
export interface Fault {
  /** Tested against `METHOD path`. */
  at: RegExp;
  /** Instead of the route. */
  answer?: Answer;
  /** Closes the connection without an answer: before the request is carried out, or after it. */
  drop?: 'before' | 'after';
  delayMs?: number;
  /** Runs before the request is carried out: what somebody else does in between. */
  before?: () => Promise<unknown>;
}

export const TOKEN = 'ghp_fakefakefakefake';

/** GitHub on a socket, over real bare repositories; the real gh is pointed at it by a configuration of its own. */
export class FakeGitHub {
  readonly requests: LoggedRequest[] = [];
  readonly faults: Fault[] = [];
  readonly repositories = new Map<string, BareRepository>();
  treeLimit = 100_000;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(readonly directory: string) {}

  static async start(): Promise<FakeGitHub> {
    // A socket's path has at most 108 bytes, so the folder lies right below the temporary one.
    const fake = new FakeGitHub(mkdtempSync(path.join(tmpdir(), 'gh-')));
    const socket = path.join(fake.directory, 's');
    await new Promise<void>((resolve) => fake.#server.listen(socket, resolve));
    mkdirSync(path.join(fake.directory, 'cfg'));
    mkdirSync(path.join(fake.directory, 'home'));
    writeFileSync(path.join(fake.directory, 'cfg', 'config.yml'), `http_unix_socket: ${socket}\n`);
    return fake;
  }

  async addRepository(name: string, defaultBranch = 'main'): Promise<BareRepository> {
    const directory = path.join(this.directory, 'repos', `${name}.git`);
    const repository = await BareRepository.create(directory, defaultBranch);
    this.repositories.set(name.toLowerCase(), repository);
    return repository;
  }

  /** The variables with which gh talks to this server and to nobody else. */
  get variables(): Record<string, string> {
    const home = path.join(this.directory, 'home');
    const directory = path.join(this.directory, 'cfg');
    return {
      GH_CONFIG_DIR: directory,
      GH_TOKEN: TOKEN,
      HOME: home,
      PATH: process.env.PATH ?? '/usr/bin:/bin',
    };
  }

  /** `METHOD path` of every request since the last call of it. */
  takeCalls(): string[] {
    return this.requests.splice(0).map(({ method, path: address }) => `${method} ${address}`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.directory, { recursive: true, force: true });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const address = (request.url ?? '').replace(/^\/(?:api\/v3\/)?/, '');
    const logged: LoggedRequest = {
      method: request.method ?? '',
      path: address,
      host: request.headers.host ?? '',
      status: 0,
      authorization: request.headers.authorization,
    };
    this.requests.push(logged);
    const index = this.faults.findIndex(({ at }) => at.test(`${logged.method} ${address}`));
    const fault = index === -1 ? undefined : this.faults.splice(index, 1)[0];
    if (fault?.delayMs !== undefined) await delay(fault.delayMs);
    await fault?.before?.();
    if (fault?.drop === 'before') return void request.socket.destroy();
    const answer = fault?.answer ?? (await this.#answer(logged, address, Buffer.concat(chunks)));
    if (fault?.drop === 'after') return void request.socket.destroy();
    logged.status = send(request, response, answer);
  }

  async #answer({ method, authorization }: LoggedRequest, address: string, body: Buffer): Promise<Answer> {
    try {
      const url = new URL(address, 'http://fake/');
      const [kind, owner = '', repo = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
      if (authorization !== undefined && authorization !== `token ${TOKEN}`)
        throw new ApiError(401, 'Bad credentials');
      const name = `${owner}/${repo}`;
      const repository = this.repositories.get(name.toLowerCase());
      if (kind !== 'repos' || repository === undefined) throw new ApiError(404, 'Not Found');
      if (repository.isPrivate && authorization === undefined) throw new ApiError(404, 'Not Found');
      const parsed = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
      const { treeLimit } = this;
      return await route({
        method,
        path: rest,
        query: url.searchParams,
        body: parsed,
        repository,
        name,
        treeLimit,
      });
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: { message: error.message } };
      return { status: 500, body: { message: String(error) } };
    }
  }
}
