import { isAbsolute } from 'node:path';
import {
  type Limits,
  MAX_ARGUMENT_BYTES,
  MAX_HEADER_BYTES,
  PROTOCOL_VERSION,
  RunMessage,
} from '../protocol.js';
import { SupervisorRefusal } from './errors.js';
import type { RunRequest } from './options.js';

/** Default wall-clock budget of a run, ms. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** As long as any real incarnation: a message is measured before it is known which one will take it. */
const ANY_INCARNATION = 'x'.repeat(64);

/** A run that was measured and found sendable; only the envelope is missing. */
export interface MeasuredRun {
  readonly message: Omit<RunMessage, 'v' | 'incarnation'>;
  readonly body: Buffer | undefined;
}

/**
 * Turns a request into a message that is sure to pass the channel.
 * Throws SupervisorRefusal `invalid` with the sizes; values never appear in it.
 */
export function measureRun(id: number, runId: string, request: RunRequest, limits: Limits): MeasuredRun {
  const {
    file,
    args = [],
    cwd,
    env = {},
    stdin,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    script,
    fence,
    network,
  } = request;
  refuseRelative('the program', file);
  refuseRelative('the working directory', cwd);
  const body = typeof stdin === 'string' ? Buffer.from(stdin, 'utf8') : stdin && asBuffer(stdin);
  const parsed = RunMessage.safeParse({
    v: PROTOCOL_VERSION,
    incarnation: ANY_INCARNATION,
    type: 'run',
    id,
    runId,
    file,
    args: [...args],
    cwd,
    env: { ...env },
    timeoutMs,
    ...(script !== undefined && { script }),
    ...(fence !== undefined && { fence }),
    ...(network !== undefined && { network }),
    tail: request.onTail !== undefined,
    stdin: body !== undefined,
  });
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') || 'request';
    throw invalid(`the run's ${place} is not allowed: ${parsed.error.issues[0]?.message ?? 'invalid'}`);
  }
  const { v: _v, incarnation: _incarnation, ...message } = parsed.data;
  refuseNul('the program', message.file);
  refuseNul('the working directory', message.cwd);
  for (const [index, arg] of message.args.entries()) refuseArgument(`argument ${index + 1}`, arg);
  for (const [name, value] of Object.entries(env)) refuseVariable(name, value);
  if (timeoutMs > limits.maxTimeoutMs) {
    throw invalid(`a timeout of ${timeoutMs} ms, at most ${limits.maxTimeoutMs} are allowed`);
  }
  const stdinBytes = body?.byteLength ?? 0;
  if (stdinBytes > limits.stdinBytes) {
    throw invalid(`stdin is ${stdinBytes} bytes, at most ${limits.stdinBytes} are allowed`);
  }
  const headerBytes = Buffer.byteLength(JSON.stringify(parsed.data), 'utf8');
  if (headerBytes > MAX_HEADER_BYTES) {
    throw invalid(`the request is ${headerBytes} bytes, at most ${MAX_HEADER_BYTES} fit`);
  }
  return { message, body };
}

function refuseRelative(what: string, value: string): void {
  if (!isAbsolute(value)) throw invalid(`${what} must be an absolute path`);
}

function refuseArgument(what: string, value: string): void {
  refuseNul(what, value);
  const bytes = Buffer.byteLength(value, 'utf8');
  if (bytes > MAX_ARGUMENT_BYTES) {
    throw invalid(`${what} is ${bytes} bytes, at most ${MAX_ARGUMENT_BYTES} are allowed`);
  }
}

function refuseVariable(name: string, value: string): void {
  // `__proto__` would be lost on its way through JSON.
  if (name === '' || name.includes('=') || name === '__proto__') {
    throw invalid('a variable has a name that cannot be passed on');
  }
  refuseArgument(`the variable ${JSON.stringify(name.slice(0, 64))}`, `${name}=${value}`);
}

function refuseNul(what: string, value: string): void {
  if (value.includes('\0')) throw invalid(`${what} holds a NUL character`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function invalid(message: string): SupervisorRefusal {
  return new SupervisorRefusal('invalid', message);
}
