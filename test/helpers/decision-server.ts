import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface DecisionServer {
  readonly url: string;
  readonly seen: SeenRequest[];
}

export type Respond = (request: SeenRequest, response: ServerResponse) => void;

/** A real server on this machine that answers as a test says; gone when the test ends. */
export async function startDecisionServer(respond: Respond): Promise<DecisionServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
      seen.push(one);
      respond(one, response);
    });
  });
  await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** A port on which nobody listens. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** What a model believes, in words of no protocol. */
export interface Belief {
  /** The option that it picks. */
  readonly choice: string;
  /** Probability of yes by id of the question, 0.5 where nothing is said. */
  readonly yes?: Readonly<Record<string, number>>;
  /** Spread over options. */
  readonly probabilities?: Readonly<Record<string, number>>;
}

type Protocol = 'systemone' | 'gateway' | 'openai-chat';

/** Answers in one of the three protocols with what the model believes. */
export function believe(protocol: Protocol, belief: Belief): Respond {
  if (protocol === 'openai-chat') return believeInChat(belief);
  return ({ body }, response) => {
    const answers = Object.fromEntries(
      Object.entries<{ type: string }>(body.questions).map(([id, { type }]) => [
        id,
        type === 'choice'
          ? { type, choice: belief.choice, probabilities: belief.probabilities, confidence: 0.9 }
          : { type, [protocol === 'gateway' ? 'probability' : 'noul']: belief.yes?.[id] ?? 0.5 },
      ]),
    );
    sendJson(response, { answers, model: 'm', usage: { input_tokens: 1, output_tokens: 1 } });
  };
}

/** A chat server sees no ids of questions: those of the gate are told apart by their words. */
function believeInChat({ choice, yes = {} }: Belief): Respond {
  return ({ body }, response) => {
    if (body.response_format !== undefined) {
      sendJson(response, { choices: [{ message: { content: JSON.stringify({ choice }) } }] });
      return;
    }
    const words: string = body.messages[0].content;
    const id = Object.keys(yes).find((key) => words.includes(key)) ?? '';
    const probability = Math.min(0.999, Math.max(0.001, yes[id] ?? 0.5));
    const top = [
      { token: ' Yes', logprob: Math.log(probability) },
      { token: 'no', logprob: Math.log(1 - probability) },
      { token: 'maybe', logprob: -9 },
    ];
    sendJson(response, {
      choices: [
        { message: { content: 'yes' }, logprobs: { content: [{ token: ' Yes', top_logprobs: top }] } },
      ],
    });
  };
}
