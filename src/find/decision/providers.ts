import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { describeErrno, isAbsent } from '../../errors/errno.js';
import type { Endpoint } from './endpoint.js';
import { GATEWAY_BASE, makeGateway } from './gateway.js';
import { makeOpenAiChat } from './openai-chat.js';
import shipped from './providers.json' with { type: 'json' };
import { DecisionFailure, type DecisionModel } from './question.js';
import { makeSystemOne, SYSTEMONE_BASE } from './systemone.js';

const Probability = z.number().min(0).max(1);

const Provider = z.looseObject({
  provider: z.enum(['systemone', 'typesafe-ai', 'gateway', 'openai-chat']),
  modelId: z.string().min(1),
  /** Names of variables, the first one that is set counts; none: the server asks for no key. */
  keyEnv: z.array(z.string().min(1)),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  thresholds: z
    .looseObject({
      action: Probability.optional(),
      named: Probability.optional(),
      fits: Probability.optional(),
    })
    .optional(),
});

/** One entry of providers.json: where a decision model is and which variables may hold its key. */
export type Provider = z.infer<typeof Provider>;

const Providers = z.record(z.string(), z.unknown());

/**
 * The entry of that name: out of the file at `overlay` where that has one, else out of those that come with the
 * program. Throws a DecisionFailure for an unknown name, a bad entry and an unreadable file.
 */
export async function findProvider(model: string, overlay: string): Promise<Provider> {
  const entries = new Map([...Object.entries(shipped), ...(await readOverlay(overlay))]);
  const entry = entries.get(model);
  if (entry === undefined) {
    throw new DecisionFailure(`unknown decision model "${model}"; add it to providers.json`);
  }
  const parsed = Provider.safeParse(entry);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new DecisionFailure(`the entry "${model}" of providers.json: ${field} is missing or not valid`);
}

async function readOverlay(path: string): Promise<readonly [string, unknown][]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return [];
    throw new DecisionFailure(`providers.json cannot be read: ${describeErrno(error)}`);
  }
  const parsed = parseJson(text);
  if (!parsed.success) throw new DecisionFailure('providers.json is not a JSON object');
  return Object.entries(parsed.data);
}

function parseJson(text: string) {
  try {
    return Providers.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return Providers.safeParse(undefined);
  }
}

/** The model behind an entry. Throws a DecisionFailure that names the variables when no key is set. */
export function openModel(
  model: string,
  provider: Provider,
  variables: ReadonlyMap<string, string>,
): DecisionModel {
  const { keyEnv } = provider;
  const key = keyEnv.map((name) => variables.get(name)?.trim()).find((value) => value);
  if (key === undefined && keyEnv.length > 0) {
    throw new DecisionFailure(`no API key for "${model}": set ${keyEnv.join(' or ')}`);
  }
  const at = (base: string): Endpoint => ({
    baseURL: base.replace(/\/+$/, ''),
    modelId: provider.modelId,
    key,
  });
  switch (provider.provider) {
    case 'gateway':
      return makeGateway(at(provider.baseURL ?? GATEWAY_BASE));
    case 'openai-chat':
      if (provider.baseURL === undefined) {
        throw new DecisionFailure(`the entry "${model}" of providers.json needs a baseURL`);
      }
      return makeOpenAiChat(at(provider.baseURL));
    case 'systemone':
    case 'typesafe-ai':
      return makeSystemOne(at(provider.baseURL ?? SYSTEMONE_BASE));
  }
}
