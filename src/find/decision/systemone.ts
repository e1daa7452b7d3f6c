import { bearer, type Endpoint } from './endpoint.js';
import { postJson } from './post-json.js';
import type { DecisionModel } from './question.js';
import { readAnswers, readChoice, readYesNo } from './read-answer.js';
import { writeQuestions } from './write-questions.js';

/** Where TypeSafe AI listens; others speak the same protocol elsewhere. */
export const SYSTEMONE_BASE = 'https://api.typesafe.ai/v1';

/** The protocol of System One models: all questions in one request, distributions in the answers. */
export function makeSystemOne({ baseURL, modelId, key }: Endpoint): DecisionModel {
  return {
    asksTogether: true,
    decide: async ({ state, questions }, signal) => {
      const body = await postJson(
        {
          url: `${baseURL}/systemone`,
          headers: bearer(key),
          body: { model: modelId, state, questions: writeQuestions(questions, 'noul') },
        },
        signal,
      );
      return readAnswers(body, questions, (id, question, { choice, probabilities, noul }) =>
        question.kind === 'choice' ? readChoice(id, question, choice, probabilities) : readYesNo(id, noul),
      );
    },
  };
}
