import { describe, expect, it } from 'vitest';
import { parseHttpReply, readErrorWords } from '../../src/registry/http-reply.js';
import { readRateLimit } from '../../src/registry/rate-limit.js';

const reply = (text: string) => {
  const parsed = parseHttpReply(Buffer.from(text, 'latin1'));
  if (parsed === undefined) throw new Error('no reply');
  return parsed;
};

describe('what gh api -i prints', () => {
  it('is read from its first line, with the body byte for byte', () => {
    const parsed = reply('HTTP/1.1 404 Not Found\nETag: W/"x"\r\nX-A: b: c\r\n\r\n{"message":"no"}\n\n\xff');
    expect(parsed.status).toBe(404);
    expect(parsed.headers.get('etag')).toBe('W/"x"');
    expect(parsed.headers.get('x-a')).toBe('b: c');
    expect(parsed.body).toEqual(Buffer.from('{"message":"no"}\n\n\xff', 'latin1'));
    expect(reply('HTTP/2.0 204 No Content\r\n\r\n').body).toHaveLength(0);
    expect(reply('HTTP/2.0 200\n').status).toBe(200);
  });

  it.each(['', 'gh: Not Found (HTTP 404)', '{"status": 404}\n', '\nHTTP/1.1 200 OK\n'])(
    '%j is no answer',
    (text) => {
      expect(parseHttpReply(Buffer.from(text))).toBeUndefined();
    },
  );

  it('may hold the words of GitHub, or a page of a proxy', () => {
    expect(readErrorWords(reply('HTTP/1.1 422 x\n\n{"message":"no"}'))).toBe('no');
    expect(readErrorWords(reply('HTTP/1.1 502 x\n\n<html>404</html>'))).toBeUndefined();
    expect(readErrorWords(reply('HTTP/1.1 502 x\n\n{"message":5}'))).toBeUndefined();
  });
});

describe('a rate limit', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['HTTP/1.1 403 x\nRetry-After: 7\n\n{}', 7_000],
    ['HTTP/1.1 429 x\nretry-after: 0\n\n{}', 0],
    [`HTTP/1.1 403 x\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: ${now / 1_000 + 90}\n\n{}`, 90_000],
    ['HTTP/1.1 429 x\n\n{}', 60_000],
    ['HTTP/1.1 403 x\n\n{"message":"You have exceeded a secondary rate limit."}', 60_000],
    ['HTTP/1.1 403 x\n\n{"message":"Resource not accessible"}', undefined],
    ['HTTP/1.1 200 x\nRetry-After: 7\n\n{}', undefined],
  ])('%j asks for %s ms', (text, ms) => {
    expect(readRateLimit(reply(text), now)).toBe(ms);
  });
});
