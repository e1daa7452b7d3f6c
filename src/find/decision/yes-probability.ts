import { z } from 'zod';

const Logprobs = z.looseObject({
  content: z
    .array(
      z.looseObject({
        top_logprobs: z.array(z.looseObject({ token: z.string(), logprob: z.number() })),
      }),
    )
    .min(1),
});

/**
 * Likelihood of yes against no in the first token of a chat answer; a server without likelihoods is taken at its
 * word. Undefined when the answer is neither.
 */
export function readYesProbability(logprobs: unknown, content: string): number | undefined {
  const [first] = Logprobs.safeParse(logprobs).data?.content ?? [];
  if (first === undefined || first.top_logprobs.length === 0) return readWord(content);
  let yes = 0;
  let no = 0;
  for (const { token, logprob } of first.top_logprobs) {
    const meaning = readWord(token);
    if (meaning === 1) yes += Math.exp(logprob);
    if (meaning === 0) no += Math.exp(logprob);
  }
  const share = yes / (yes + no);
  return Number.isFinite(share) ? share : undefined;
}

/** 1 for yes, 0 for no, however a tokenizer writes them. */
function readWord(text: string): 1 | 0 | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!"']/g, '');
  if (word === 'yes' || word === 'true') return 1;
  return word === 'no' || word === 'false' ? 0 : undefined;
}
