import { describe, expect, it } from 'vitest';
import { askModel, KEY } from '../../helpers/ask-model.js';
import { believe, startDecisionServer } from '../../helpers/decision-server.js';

const YES = { procedure: 0.9, general: 0.1, guide: 0.9, named: 0.9, 'fits.pdf-forms': 0.9 };
const GATE = ['general', 'guide', 'named', 'procedure'];

describe('systemone', () => {
  it('sends everything in one request, in its protocol', async () => {
    const server = await startDecisionServer(
      believe('systemone', {
        choice: 'pdf-forms',
        yes: YES,
        probabilities: { 'pdf-forms': 0.7, 'form-design': 0.2 },
      }),
    );
    const answer = await askModel({ baseURL: `${server.url}/v1/` });
    expect(answer).toMatchObject({ needsSkill: true, suggestion: 'pdf-forms', ranker: 'test-model' });
    expect(answer.candidates.map(({ id, score }) => [id, score])).toEqual([
      ['pdf-forms', 0.7],
      ['form-design', 0.2],
      ['deploy-form', 0],
    ]);
    expect(server.seen).toHaveLength(1);
    const [{ method, path, headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect([method, path, headers.authorization]).toEqual(['POST', '/v1/systemone', `Bearer ${KEY}`]);
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(body).sort()).toEqual(['model', 'questions', 'state']);
    expect([body.model, body.state]).toEqual(['m-1', 'fill in a PDF form']);
    const { choice, ...others } = body.questions;
    expect(choice.type).toBe('choice');
    expect(Object.keys(choice.criteria)).toEqual(['pdf-forms', 'deploy-form', 'form-design', '(none)']);
    expect(choice.criteria['pdf-forms']).toMatch(
      /^Fill in PDF forms and extract their fields\.\nForm body\. x+$/,
    );
    expect(choice.criteria['pdf-forms']).toHaveLength(
      'Fill in PDF forms and extract their fields.\n'.length + 700,
    );
    expect(Object.keys(others).sort()).toEqual(
      ['fits.deploy-form', 'fits.form-design', 'fits.pdf-forms', ...GATE].sort(),
    );
    for (const question of Object.values<{ type: string; criteria: object }>(others)) {
      expect(question.type).toBe('noul');
      expect(Object.keys(question.criteria).sort()).toEqual(['false', 'true']);
    }
  });

  it('goes by its alias too', async () => {
    const server = await startDecisionServer(believe('systemone', { choice: 'pdf-forms', yes: YES }));
    const answer = await askModel({ baseURL: server.url, provider: 'typesafe-ai' });
    expect([answer.ranker, server.seen[0]?.path]).toEqual(['test-model', '/systemone']);
  });
});

describe('gateway', () => {
  it('sends everything in one request, in its protocol', async () => {
    const server = await startDecisionServer(believe('gateway', { choice: 'pdf-forms', yes: YES }));
    const answer = await askModel({ baseURL: server.url, provider: 'gateway' });
    expect(answer).toMatchObject({ needsSkill: true, suggestion: 'pdf-forms', ranker: 'test-model' });
    expect(server.seen).toHaveLength(1);
    const [{ path, headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect(path).toBe('/decision-model');
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'ai-gateway-protocol-version': '0.0.1',
      'ai-gateway-auth-method': 'api-key',
      'ai-decision-model-specification-version': '4',
      'ai-model-id': 'm-1',
    });
    expect(Object.keys(body).sort()).toEqual(['questions', 'stateParts']);
    expect(body.stateParts).toEqual([{ type: 'text', text: 'fill in a PDF form' }]);
    expect(body.questions.choice.type).toBe('choice');
    expect(body.questions.procedure.type).toBe('boolean');
    expect(body.questions['fits.pdf-forms'].type).toBe('boolean');
    // Without a distribution the candidates are ordered by how well they fit.
    expect(answer.candidates.map(({ id, score }) => [id, score])).toEqual([
      ['pdf-forms', 0.9],
      ['deploy-form', 0.5],
      ['form-design', 0.5],
    ]);
  });
});

describe('openai-chat', () => {
  const yes = {
    'Instructions made for': 0.1,
    'particular procedure': 0.9,
    'written guide': 0.9,
    'name a particular': 0.9,
    'pdf-forms"': 0.8,
  };

  it('asks each question for itself, and the fit of the chosen skill alone', async () => {
    const server = await startDecisionServer(believe('openai-chat', { choice: 'pdf-forms', yes }));
    const answer = await askModel({ baseURL: `${server.url}/v1`, provider: 'openai-chat' });
    expect(answer).toMatchObject({ needsSkill: true, suggestion: 'pdf-forms', ranker: 'test-model' });
    expect(server.seen).toHaveLength(6);
    const [choice] = server.seen.filter(({ body }) => body.response_format !== undefined);
    expect(choice?.path).toBe('/v1/chat/completions');
    expect(choice?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(choice?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: {
        strict: true,
        schema: {
          properties: {
            choice: { type: 'string', enum: ['pdf-forms', 'deploy-form', 'form-design', '(none)'] },
          },
          required: ['choice'],
          additionalProperties: false,
        },
      },
    });
    expect(choice?.body.messages.at(-1)).toEqual({ role: 'user', content: 'fill in a PDF form' });
    const nouls = server.seen.filter(({ body }) => body.response_format === undefined);
    for (const { body } of nouls) {
      expect(body).toMatchObject({
        model: 'm-1',
        max_tokens: 1,
        logprobs: true,
        top_logprobs: 5,
        temperature: 0,
      });
    }
    expect(nouls.filter(({ body }) => body.messages[0].content.includes('pdf-forms"'))).toHaveLength(1);
  });

  it('needs no key where the server asks for none, but an address', async () => {
    const server = await startDecisionServer(believe('openai-chat', { choice: 'pdf-forms', yes }));
    const open = await askModel({ baseURL: server.url, provider: 'openai-chat', keyEnv: [], variables: {} });
    expect(open).toMatchObject({ suggestion: 'pdf-forms', ranker: 'test-model' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
    const lost = await askModel({ provider: 'openai-chat' });
    expect(lost).toMatchObject({
      ranker: 'bm25-fallback',
      reason: expect.stringContaining('needs a baseURL'),
    });
  });

  it('asks no fit when the gate is closed', async () => {
    const closed = {
      'Instructions made for': 0.9,
      'particular procedure': 0.05,
      'written guide': 0.05,
      'name a particular': 0.1,
    };
    const server = await startDecisionServer(believe('openai-chat', { choice: 'pdf-forms', yes: closed }));
    const answer = await askModel({ baseURL: server.url, provider: 'openai-chat' });
    expect(answer).toMatchObject({ needsSkill: false, suggestion: null });
    expect(server.seen).toHaveLength(5);
  });
});
