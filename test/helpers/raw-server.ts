import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { livingProcesses } from './supervised.js';

/** The built server. */
export const SERVER = fileURLToPath(new URL('../../dist/skill-mcp.js', import.meta.url));

export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly entry?: string;
  /** Another node than this one. */
  readonly node?: string;
  readonly uid?: number;
}

/** A server spoken to in bytes: every line on its stdout must be JSON-RPC, whatever happens. */
export class RawServer {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly messages: RpcMessage[] = [];
  /** Lines of stdout that were no JSON-RPC. */
  readonly strays: string[] = [];
  stderr = '';
  /** Resolves with exit code and signal. */
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  #rest = '';
  #nextId = 1_000;

  constructor(options: RawServerOptions = {}) {
    const { env = {}, args = [], nodeArgs = [], entry = SERVER, node = process.execPath, uid } = options;
    this.child = spawn(node, [...nodeArgs, entry, ...args], {
      env: { PATH: '/usr/bin:/bin', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    this.exited = once(this.child, 'exit').then(([code, signal]) => [code, signal] as const);
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  write(bytes: string | Uint8Array): void {
    this.child.stdin.write(bytes);
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** Sends a request and returns its id without waiting. */
  send(method: string, params: Record<string, unknown> = {}): number {
    const id = this.#nextId++;
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  }

  answer(id: string | number | null, timeoutMs = 20_000): Promise<RpcMessage> {
    return this.find((message) => message.id === id && message.method === undefined, timeoutMs);
  }

  /** The first message of which `isIt` holds, now or within the time. */
  async find(isIt: (message: RpcMessage) => boolean, timeoutMs = 20_000): Promise<RpcMessage> {
    let found: RpcMessage | undefined;
    await expect
      .poll(
        () => {
          found = this.messages.find(isIt);
          return found !== undefined;
        },
        { timeout: timeoutMs, interval: 10 },
      )
      .toBe(true);
    return found as RpcMessage;
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<RpcMessage> {
    return this.answer(this.send(method, params));
  }

  async initialize(): Promise<RpcMessage> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  /** The structured answer of a tool; a refusal fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    expect(error).toBeUndefined();
    expect(result.isError, result.content?.[0]?.text).toBeUndefined();
    return JSON.parse(result.content[0].text);
  }

  /** The line of a refusal; an answer fails the test. */
  async refuse(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { result } = await this.request('tools/call', { name, arguments: args });
    expect(result?.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    const { text } = result.content[0];
    expect(text).not.toMatch(/[\r\n]/);
    return text;
  }

  /** This process and everything below it that is alive. */
  tree(): number[] {
    const rows = livingProcesses();
    const pids = [this.pid];
    for (const pid of pids) pids.push(...rows.filter(({ parent }) => parent === pid).map((row) => row.pid));
    return pids.filter((pid) => rows.some((row) => row.pid === pid));
  }

  /** Closes stdin and checks that everything went well until the end. */
  async end(): Promise<void> {
    const pids = this.tree();
    this.child.stdin.end();
    expect(await this.exited).toEqual([0, null]);
    expect(this.strays).toEqual([]);
    await expectGone(pids);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = parse(line);
      if (message === undefined) this.strays.push(line);
      else this.messages.push(message);
    }
  }
}

/** None of these processes is alive any more, within the time. */
export async function expectGone(pids: readonly number[], timeoutMs = 5_000): Promise<void> {
  await expect
    .poll(() => livingProcesses().filter(({ pid }) => pids.includes(pid)), {
      timeout: timeoutMs,
      interval: 20,
    })
    .toEqual([]);
}

function parse(line: string): RpcMessage | undefined {
  try {
    const value = JSON.parse(line);
    return value?.jsonrpc === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
}
