import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '../../errors/errno.js';
import { DecisionFailure, DecisionTimeout } from './question.js';

/** Longest answer that is read, bytes: a distribution over 255 options takes a tenth of it. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Overload that passes: 429 of every service, 529 of one of them. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 529]);

/** Pauses before the further tries, ms; the caller's deadline goes on meanwhile. */
const RETRY_PAUSES_MS = [150, 450];

/** One request to a decision model. */
export interface JsonPost {
  readonly url: string;
  /** The key is in here; it goes to this address only, never along a redirect. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Posts JSON and returns the answer's JSON. Throws a DecisionFailure that names the status or the kind of fault, and
 * repeats nothing of what was sent or received. `signal` bounds all of it, the reading of the body included.
 */
export async function postJson(post: JsonPost, signal: AbortSignal): Promise<unknown> {
  for (const pauseMs of [...RETRY_PAUSES_MS, undefined]) {
    const response = await send(post, signal);
    if (response.ok) return parseBody(await readBody(response, signal));
    // Nobody reads the body of a failure; without this its connection stays open.
    await response.body?.cancel().catch(() => {});
    if (pauseMs === undefined || !RETRYABLE.has(response.status)) throw refuseStatus(response.status);
    await pause(pauseMs, undefined, { signal }).catch(() => {
      throw refuseStatus(response.status);
    });
  }
  throw new DecisionFailure('no answer');
}

async function send({ url, headers, body }: JsonPost, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    throw explain(error, signal);
  }
}

async function readBody(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      // Leaving the loop cancels the stream, however much is still to come.
      if (bytes > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw explain(error, signal);
  }
  if (bytes > MAX_ANSWER_BYTES)
    throw new DecisionFailure(`the answer is over ${MAX_ANSWER_BYTES / 1024} KiB`);
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DecisionFailure('the answer is not JSON');
  }
}

function refuseStatus(status: number): DecisionFailure {
  const redirect = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
  return new DecisionFailure(`HTTP ${status}${redirect}`);
}

/** The messages of fetch are not passed on: one of them quotes the header that holds the key. */
function explain(error: unknown, signal: AbortSignal): DecisionFailure {
  if (signal.aborted) return new DecisionTimeout('no answer in time');
  const code = errnoOf(error) ?? (error instanceof Error ? errnoOf(error.cause) : undefined);
  return new DecisionFailure(
    code === undefined ? 'the request failed' : `the connection failed (${code.slice(0, 40)})`,
  );
}
