import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { askModel, KEY, SKILLS } from '../../helpers/ask-model.js';
import {
  findClosedPort,
  type Respond,
  sendJson,
  startDecisionServer,
} from '../../helpers/decision-server.js';

const PROVIDERS = ['systemone', 'gateway', 'openai-chat'] as const;

/** Never in any answer: what the other side says of itself. */
const ECHO = 'words-of-the-other-side';

const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_, response) => {
    response.writeHead(code, headers).end(`{"error": "${ECHO} ${KEY}"}`);
  };

const text =
  (body: string): Respond =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  };

/** Each answer in the shape of its protocol, all of it wrong in one way. */
const answers =
  (choice: unknown, number: unknown): Respond =>
  ({ body, path }, response) => {
    if (path.endsWith('/chat/completions')) {
      const content = body.response_format === undefined ? '?' : JSON.stringify({ choice });
      const top_logprobs = typeof number === 'number' ? [{ token: 'yes', logprob: number }] : [];
      sendJson(response, {
        choices: [{ message: { content }, logprobs: { content: [{ top_logprobs }] } }],
      });
      return;
    }
    const given = Object.keys(body.questions).map((id) => [
      id,
      id === 'choice' ? { choice } : { noul: number, probability: number },
    ]);
    sendJson(response, { answers: Object.fromEntries(given) });
  };

const FAILURES: Record<string, { respond: Respond; reason: RegExp; timeoutMs?: number }> = {
  'an unknown key': { respond: status(401), reason: /^HTTP 401$/ },
  'a forbidden model': { respond: status(403), reason: /^HTTP 403$/ },
  'an unknown address': { respond: status(404), reason: /^HTTP 404$/ },
  'a rate limit': { respond: status(429), reason: /^HTTP 429$/ },
  'an overload': { respond: status(529), reason: /^HTTP 529$/ },
  'a broken server': { respond: status(500), reason: /^HTTP 500$/ },
  'a bad gateway': { respond: status(502), reason: /^HTTP 502$/ },
  'an empty body': { respond: text(''), reason: /not JSON/ },
  'a page instead of JSON': { respond: text(`<html>${ECHO}</html>`), reason: /not JSON/ },
  'half of a JSON': { respond: text('{"answers": {"choice"'), reason: /not JSON/ },
  'JSON of another shape': { respond: text('[1, 2]'), reason: /another shape|no answer to the question/ },
  null: { respond: text('null'), reason: /another shape|no answer to the question/ },
  'no answers in it': {
    respond: text('{"answers": {}, "choices": []}'),
    reason: /no answer to the question/,
  },
  'a skill that was not offered': { respond: answers('no-such-skill', 0.5), reason: /none of its options/ },
  'a choice that is no text': { respond: answers({ id: 'pdf-forms' }, 0.5), reason: /none of its options/ },
  'an inherited name as choice': { respond: answers('constructor', 0.5), reason: /none of its options/ },
  'a missing number': { respond: answers('pdf-forms', undefined), reason: /no answer to the question/ },
  'a server that never answers': { respond: () => {}, reason: /^no answer within 400 ms$/, timeoutMs: 400 },
  'a body that never ends': {
    respond: (_, response) => void response.writeHead(200).write('{"answers": {'),
    reason: /^no answer within 400 ms$/,
    timeoutMs: 400,
  },
  'a flood': { respond: (_, response) => flood(response), reason: /over 256 KiB/ },
  'a connection that is cut': {
    respond: (_, response) => void response.destroy(),
    reason: /connection failed/,
  },
  'a connection that is cut in the middle': {
    respond: (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"ans');
      setTimeout(() => response.destroy(), 20);
    },
    reason: /failed/,
  },
};

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = `"${ECHO.repeat(2_000)}",`;
  const write = () => {
    while (!response.destroyed && response.write(chunk)) {
      // Until the other side stops reading.
    }
  };
  response.on('drain', write).on('error', () => {});
  write();
}

describe.each(PROVIDERS)('%s', (provider) => {
  for (const [name, { respond, reason, timeoutMs }] of Object.entries(FAILURES)) {
    it(`falls back to words at ${name}`, async () => {
      const server = await startDecisionServer(respond);
      const answer = await askModel({ baseURL: server.url, provider, ...(timeoutMs && { timeoutMs }) });
      expect(server.seen.length).toBeGreaterThan(0);
      expectFallback(answer, reason);
    });
  }

  it('falls back when nobody listens', async () => {
    const port = await findClosedPort();
    const answer = await askModel({ baseURL: `http://127.0.0.1:${port}`, provider });
    expectFallback(answer, /^the connection failed \(ECONNREFUSED\)$/);
  });

  it('follows no redirect, so the key goes nowhere else [find.key]', async () => {
    const thief = await startDecisionServer(answers('pdf-forms', 0.9));
    for (const code of [301, 302, 307, 308]) {
      const server = await startDecisionServer(status(code, { location: `${thief.url}/` }));
      const answer = await askModel({ baseURL: server.url, provider });
      expectFallback(answer, new RegExp(`^HTTP ${code}, a redirect`));
    }
    expect(thief.seen).toEqual([]);
  });

  it('names the variables when no key is set, and asks nobody', async () => {
    const server = await startDecisionServer(status(500));
    for (const variables of [{}, { FIRST_KEY: '  ' }]) {
      const keyEnv = ['FIRST_KEY', 'SECOND_KEY'];
      const answer = await askModel({ baseURL: server.url, provider, keyEnv, variables });
      expectFallback(answer, /^no API key for "test-model": set FIRST_KEY or SECOND_KEY$/);
    }
    expect(server.seen).toEqual([]);
  });

  it('never repeats a key that no header can carry', async () => {
    const server = await startDecisionServer(status(500));
    const variables = { TEST_KEY: `${KEY}\nx: y` };
    const answer = await askModel({ baseURL: server.url, provider, variables });
    expectFallback(answer, /^the request failed/);
  });

  it('tries again at an overload that passes', async () => {
    let calls = 0;
    const fine = answers('(none)', provider === 'openai-chat' ? -0.1 : 0.9);
    const server = await startDecisionServer((request, response) => {
      calls += 1;
      (calls === 1 ? status(529) : fine)(request, response);
    });
    const answer = await askModel({ baseURL: server.url, provider });
    expect(answer).toMatchObject({ needsSkill: true, suggestion: null, ranker: 'test-model' });
  });

  it('ends its requests when the caller goes away', async () => {
    const server = await startDecisionServer(() => {});
    const caller = new AbortController();
    const answer = askModel({ baseURL: server.url, provider, signal: caller.signal, timeoutMs: 60_000 });
    await expect.poll(() => server.seen.length, { timeout: 10_000 }).toBeGreaterThan(0);
    caller.abort();
    expect((await answer).ranker).toBe('bm25-fallback');
  });
});

describe.each(['systemone', 'gateway'])('%s', (provider) => {
  it.each([7, -0.1, '0.5', null, true])('falls back at %j as a probability', async (number) => {
    const server = await startDecisionServer(answers('pdf-forms', number));
    expectFallback(await askModel({ baseURL: server.url, provider }), /no number from 0 to 1/);
  });

  it('falls back at a distribution with an impossible number', async () => {
    const server = await startDecisionServer(({ body }, response) => {
      const given = Object.keys(body.questions).map((id) => [
        id,
        id === 'choice'
          ? { choice: 'pdf-forms', probabilities: { 'pdf-forms': 1.5 } }
          : { noul: 0.9, probability: 0.9 },
      ]);
      sendJson(response, { answers: Object.fromEntries(given) });
    });
    expectFallback(await askModel({ baseURL: server.url, provider }), /no number from 0 to 1/);
  });
});

it('the status is named although the deadline ends the tries at it', async () => {
  const server = await startDecisionServer(status(429));
  expectFallback(await askModel({ baseURL: server.url, timeoutMs: 120 }), /^HTTP 429$/);
});

it.each(['shards', 'shortlist'] as const)('one failure ends what is still asked: %s', async (strategy) => {
  let calls = 0;
  let closed = 0;
  const server = await startDecisionServer((_, response) => {
    calls += 1;
    response.on('close', () => {
      closed += 1;
    });
    // The last one fails, the others would never answer.
    if (calls === (strategy === 'shards' ? 4 : 5)) response.writeHead(500).end();
  });
  const provider = strategy === 'shards' ? 'systemone' : 'openai-chat';
  const answer = await askModel({ baseURL: server.url, provider, strategy, shardSize: 1, timeoutMs: 60_000 });
  expectFallback(answer, /^HTTP 500$/);
  await expect.poll(() => closed, { timeout: 10_000 }).toBe(calls);
});

describe('the entry of the model', () => {
  it('must exist', async () => {
    expectFallback(
      await askModel({ providersText: '{}' }),
      /^unknown decision model "test-model"; add it to providers.json$/,
    );
  });

  it.each([
    ['{', /not a JSON object/],
    ['[]', /not a JSON object/],
    [
      '{"test-model": {"provider": "magic", "modelId": "m", "keyEnv": []}}',
      /provider is missing or not valid/,
    ],
    ['{"test-model": {"provider": "gateway", "keyEnv": []}}', /modelId is missing or not valid/],
    [
      '{"test-model": {"provider": "gateway", "modelId": "m", "keyEnv": [], "baseURL": "file:///etc"}}',
      /baseURL/,
    ],
    ['{"test-model": 5}', /not valid/],
  ])('must be whole: %s', async (providersText, reason) => {
    expectFallback(await askModel({ providersText }), reason);
  });

  it('comes with the program for two models, each with its variables', async () => {
    const providersText = '{}';
    const direct = await askModel({ providersText, model: 'typesafe-ai:jev-1.14.0', variables: {} });
    expect(direct.reason).toMatch(/^no API key for .*: set TYPESAFE_AI_API_KEY or TYPESAFE_API_KEY$/);
    const routed = await askModel({ providersText, model: 'gateway:typesafe-ai/jev-1.14.0', variables: {} });
    expect(routed.reason).toMatch(/: set AI_GATEWAY_API_KEY$/);
  });
});

it('a refusal of the gateway is a failure', async () => {
  const server = await startDecisionServer(({ body }, response) => {
    const given = Object.keys(body.questions).map((id) => [id, { type: 'refusal', message: ECHO }]);
    sendJson(response, { answers: Object.fromEntries(given) });
  });
  expectFallback(
    await askModel({ baseURL: server.url, provider: 'gateway' }),
    /^the model refused the question/,
  );
});

function expectFallback(answer: Awaited<ReturnType<typeof askModel>>, reason: RegExp): void {
  expect(answer).toMatchObject({ needsSkill: null, suggestion: 'pdf-forms', ranker: 'bm25-fallback' });
  expect(answer.reason).toMatch(reason);
  expect(answer.candidates.map(({ id }) => id)).toContain('pdf-forms');
  expect(answer.evidence?.matchedTerms.length).toBeGreaterThan(0);
  const whole = JSON.stringify(answer);
  expect(whole).not.toContain(KEY);
  expect(whole).not.toContain(ECHO);
  expect(SKILLS.length).toBe(4);
}
