import { bearer, type Endpoint } from './endpoint.js';
import { postJson } from './post-json.js';
import { DecisionFailure, type DecisionModel } from './question.js';
import { readAnswers, readChoice, readYesNo } from './read-answer.js';
import { writeQuestions } from './write-questions.js';

/** Where Vercel's gateway listens. */
export const GATEWAY_BASE = 'https://ai-gateway.vercel.sh/v4/ai';

const PROTOCOL_HEADERS = {
  'ai-gateway-protocol-version': '0.0.1',
  'ai-gateway-auth-method': 'api-key',
  'ai-decision-model-specification-version': '4',
};

/** The decision protocol of Vercel's AI gateway: all questions in one request; a model may refuse to answer. */
export function makeGateway({ baseURL, modelId, key }: Endpoint): DecisionModel {
  return {
    asksTogether: true,
    decide: async ({ state, questions }, signal) => {
      const body = await postJson(
        {
          url: `${baseURL}/decision-model`,
          headers: { ...bearer(key), ...PROTOCOL_HEADERS, 'ai-model-id': modelId },
          body: {
            stateParts: [{ type: 'text', text: state }],
            questions: writeQuestions(questions, 'boolean'),
          },
        },
        signal,
      );
      return readAnswers(body, questions, (id, question, { type, choice, probabilities, probability }) => {
        if (type === 'refusal') throw new DecisionFailure(`the model refused the question ${id}`);
        return question.kind === 'choice'
          ? readChoice(id, question, choice, probabilities)
          : readYesNo(id, probability);
      });
    },
  };
}
