import { type HttpReply, readErrorWords } from './http-reply.js';

/** What GitHub's documentation asks for where no header says how long, ms. */
const UNTOLD_WAIT_MS = 60_000;

/** How long GitHub asks to wait, ms; undefined when the answer is no rate limit. `now` is ms since 1970. */
export function readRateLimit(reply: HttpReply, now: number): number | undefined {
  if (reply.status !== 403 && reply.status !== 429) return undefined;
  const { headers } = reply;
  const seconds = readNumber(headers.get('retry-after'));
  if (seconds !== undefined) return seconds * 1_000;
  const reset = readNumber(headers.get('x-ratelimit-reset'));
  if (headers.get('x-ratelimit-remaining') === '0' && reset !== undefined) {
    return Math.max(0, reset * 1_000 - now);
  }
  const isLimit = reply.status === 429 || /rate limit/i.test(readErrorWords(reply) ?? '');
  if (!isLimit) return undefined;
  return reset === undefined ? UNTOLD_WAIT_MS : Math.max(0, reset * 1_000 - now);
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
