import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** One answer of the fake. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Thrown by a route: an error as GitHub words it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Sends JSON with an ETag, or 304 when the caller has it. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: Answer,
): number {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
  const isKnown = request.method === 'GET' && status === 200 && request.headers['if-none-match'] === etag;
  const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
  response.writeHead(isKnown ? 304 : status, {
    'Content-Type': type,
    ETag: etag,
    Connection: 'close',
    ...headers,
  });
  response.end(isKnown ? undefined : text);
  return isKnown ? 304 : status;
}
