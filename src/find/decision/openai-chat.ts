import { z } from 'zod';
import { bearer, type Endpoint } from './endpoint.js';
import { postJson } from './post-json.js';
import {
  type Answer,
  type ChoiceQuestion,
  DecisionFailure,
  type DecisionModel,
  type Question,
  type YesNoQuestion,
} from './question.js';
import { readChoice, readYesNo } from './read-answer.js';
import { readYesProbability } from './yes-probability.js';

const Completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish() }),
        logprobs: z.unknown().optional(),
      }),
    )
    .min(1),
});

type Ask = (
  id: string,
  fields: Record<string, unknown>,
) => Promise<z.infer<typeof Completion>['choices'][number]>;

/**
 * Any chat server that speaks OpenAI's protocol, local ones included: one request a question, all at once. A choice
 * is a structured answer, a yes or no the likelihood of a single token.
 */
export function makeOpenAiChat({ baseURL, modelId, key }: Endpoint): DecisionModel {
  return {
    asksTogether: false,
    decide: async ({ state, questions }, signal) => {
      const ask: Ask = async (id, fields) => {
        const body = await postJson(
          {
            url: `${baseURL}/chat/completions`,
            headers: bearer(key),
            body: { model: modelId, temperature: 0, ...fields },
          },
          signal,
        );
        const [first] = Completion.safeParse(body).data?.choices ?? [];
        if (first === undefined) throw new DecisionFailure(`no answer to the question ${id}`);
        return first;
      };
      const answers = [...questions].map(
        async ([id, question]): Promise<[string, Answer]> => [id, await askOne(ask, id, question, state)],
      );
      return new Map(await Promise.all(answers));
    },
  };
}

function askOne(ask: Ask, id: string, question: Question, state: string): Promise<Answer> {
  return question.kind === 'choice'
    ? askChoice(ask, id, question, state)
    : askYesNo(ask, id, question, state);
}

async function askChoice(ask: Ask, id: string, question: ChoiceQuestion, state: string): Promise<Answer> {
  const options = [...question.options].map(([option, meaning]) => `${option}: ${meaning}`).join('\n');
  const { message } = await ask(id, {
    messages: [
      { role: 'system', content: `${question.instructions}\nOptions:\n${options}` },
      { role: 'user', content: state },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'choice',
        strict: true,
        schema: {
          type: 'object',
          properties: { choice: { type: 'string', enum: [...question.options.keys()] } },
          required: ['choice'],
          additionalProperties: false,
        },
      },
    },
  });
  return readChoice(id, question, readChosen(message.content ?? ''), undefined);
}

function readChosen(content: string): unknown {
  try {
    return z.looseObject({ choice: z.unknown().optional() }).safeParse(JSON.parse(content)).data?.choice;
  } catch {
    throw new DecisionFailure('the chosen option is not JSON');
  }
}

async function askYesNo(ask: Ask, id: string, question: YesNoQuestion, state: string): Promise<Answer> {
  const { instructions, yes, no } = question;
  const criteria = [yes && `yes: ${yes}`, no && `no: ${no}`].filter((line) => line !== undefined);
  const { message, logprobs } = await ask(id, {
    messages: [
      { role: 'system', content: [instructions, ...criteria, 'Answer with one word: yes or no.'].join('\n') },
      { role: 'user', content: state },
    ],
    max_tokens: 1,
    logprobs: true,
    top_logprobs: 5,
  });
  return readYesNo(id, readYesProbability(logprobs, message.content ?? ''));
}
