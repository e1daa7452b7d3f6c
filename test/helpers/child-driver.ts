import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { getCurrentTest } from 'vitest/suite';
import { type Frame, FrameReader } from '../../supervisor/frame.js';
import {
  type Fence,
  FromChild,
  type HelloMessage,
  type Limits,
  type RunMessage,
} from '../../supervisor/protocol.js';
import { startCommand } from '../../supervisor/start-command.js';
import { needLevel } from './namespace-here.js';

type Message<T extends FromChild['type']> = Extract<FromChild, { type: T }>;
export type Answer = (Message<'finished'> | Message<'refused'>) & { stdout: Buffer; stderr: Buffer };

const MIB = 1024 * 1024;

export const TEST_LIMITS: Limits = {
  slots: 1,
  whenFull: 'refuse',
  streamBytes: MIB,
  stdinBytes: MIB,
  maxTimeoutMs: 300_000,
  graceMs: 300,
  reservedNames: ['NODE_OPTIONS'],
  reservedPrefixes: ['LD_'],
};

export interface DriverOptions {
  readonly fence?: 'auto' | 'portable' | 'namespace' | 'sandbox';
  readonly limits?: Partial<Limits>;
  readonly hello?: Partial<Omit<(typeof HelloMessage)['_output'], 'limits'>>;
  /** PATH of the child; default the usual directories. */
  readonly path?: string;
  /** Put before the start command: a wrapper such as setpriv with its options. */
  readonly wrapper?: readonly string[];
  /** Further descriptors to leak into the child, from slot 4 on. */
  readonly leak?: readonly number[];
  readonly entry?: string;
}

export const CHILD_ENTRY = fileURLToPath(new URL('../../dist/supervisor-child.js', import.meta.url));

/** What a sandbox of the tests shows: their programs, and the places where they leave their traces. */
export const SANDBOX_GRANTS = {
  readable: [fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')],
  writable: ['/tmp'],
};

/** Starts the built child as the client does, and speaks raw frames with it. */
export class ChildDriver {
  readonly incarnation = randomUUID();
  readonly process: ChildProcess;
  readonly socket: Duplex;
  /** Everything that came, oldest first, with the body of its frame. */
  readonly received: Array<{ message: FromChild; body: Buffer }> = [];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  stderr = '';
  readonly #limits: Limits;
  readonly #options: DriverOptions;
  readonly #watchers = new Set<() => void>();
  #lastId = 0;
  #gone = false;

  constructor(options: DriverOptions = {}) {
    const test = getCurrentTest();
    // Behind a wrapper the test itself decides what there is.
    if (test !== undefined && options.wrapper === undefined) needLevel(options.fence, test.context);
    this.#options = options;
    this.#limits = { ...TEST_LIMITS, ...options.limits };
    const entry = options.entry ?? process.env.SKILL_MCP_TEST_CHILD ?? CHILD_ENTRY;
    const { file, args } = startCommand({ node: process.execPath, entry, fence: options.fence ?? 'auto' });
    const [first = file, ...rest] = [...(options.wrapper ?? []), file, ...args];
    this.process = spawn(first, rest, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...(options.leak ?? [])],
      env: { PATH: options.path ?? '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' },
    });
    this.process.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.exited = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => {
        this.#gone = true;
        resolve({ code, signal });
        this.#notify();
      });
    });
    this.socket = this.process.stdio[3] as Duplex;
    this.socket.on('error', () => {});
    const reader = new FrameReader(64 * MIB);
    this.socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#take(frame);
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Says hello and waits for `ready`. */
  async ready(): Promise<Message<'ready'>> {
    this.sayHello();
    return this.waitFor('ready', () => true);
  }

  sayHello(): void {
    this.send({
      type: 'hello',
      limits: this.#limits,
      fence: this.#options.fence ?? 'auto',
      ...(this.#options.fence === 'sandbox' && { fenceOptions: SANDBOX_GRANTS }),
      orphans: [],
      ...this.#options.hello,
    });
  }

  /** Sends any message; the envelope is filled in. */
  send(message: object, body?: Buffer): void {
    this.sendRaw(frameOf({ v: 1, incarnation: this.incarnation, ...message }, body));
  }

  sendRaw(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Asks for a run; returns its id. */
  request(run: Partial<RunMessage> & Pick<RunMessage, 'file'>, stdin?: Buffer): number {
    this.#lastId += 1;
    const message = {
      type: 'run',
      id: this.#lastId,
      runId: `run-${randomUUID()}`,
      args: [],
      cwd: '/tmp',
      env: {},
      timeoutMs: 20_000,
      tail: false,
      stdin: stdin !== undefined,
      ...run,
    };
    this.send(message, stdin);
    return message.id;
  }

  /** Waits for the last word on a run. */
  async answer(id: number, budgetMs?: number): Promise<Answer> {
    await this.until(() => this.#find(id) !== undefined, budgetMs);
    const found = this.#find(id);
    if (found === undefined) throw new Error('unreachable');
    const { message, body } = found;
    const cut = message.type === 'finished' ? message.keptBytes.stdout : 0;
    return { ...message, stdout: body.subarray(0, cut), stderr: body.subarray(cut) } as Answer;
  }

  /** Runs a program to its end. */
  async run(run: Partial<RunMessage> & Pick<RunMessage, 'file'>, stdin?: Buffer): Promise<Answer> {
    return this.answer(this.request(run, stdin));
  }

  /** The first message of this type that fits. */
  async waitFor<T extends FromChild['type']>(
    type: T,
    fits: (message: Message<T>) => boolean,
    budgetMs?: number,
  ): Promise<Message<T>> {
    const find = () =>
      this.received
        .map(({ message }) => message)
        .find((message): message is Message<T> => message.type === type && fits(message as Message<T>));
    await this.until(() => find() !== undefined, budgetMs);
    const found = find();
    if (found === undefined) throw new Error('unreachable');
    return found;
  }

  async until(condition: () => boolean, budgetMs = 15_000): Promise<void> {
    const end = Date.now() + budgetMs;
    while (!condition()) {
      if (this.#gone) throw new Error(`the child ended: ${JSON.stringify(await this.exited)} ${this.stderr}`);
      if (Date.now() > end) throw new Error(`nothing came within ${budgetMs} ms; stderr: ${this.stderr}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, 50);
        const watchers = this.#watchers;
        function wake() {
          clearTimeout(timer);
          watchers.delete(wake);
          resolve();
        }
        watchers.add(wake);
      });
    }
  }

  /** Ends the child whatever it does; for `finally`. */
  async dispose(): Promise<void> {
    if (!this.#gone) this.process.kill('SIGKILL');
    await this.exited;
    this.socket.destroy();
  }

  #find(id: number) {
    return this.received.find(
      ({ message }) => (message.type === 'finished' || message.type === 'refused') && message.id === id,
    );
  }

  #take(frame: Frame): void {
    this.received.push({ message: FromChild.parse(frame.header), body: frame.body });
    this.#notify();
  }

  #notify(): void {
    for (const wake of [...this.#watchers]) wake();
  }
}

/** One frame as bytes, without any check. */
export function frameOf(header: object, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(head.byteLength, 0);
  prefix.writeUInt32BE(body.byteLength, 4);
  return Buffer.concat([prefix, head, body]);
}

export type Level = Exclude<Fence['level'], 'unknown'>;
