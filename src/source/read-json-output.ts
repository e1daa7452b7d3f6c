import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';

/** How much of an unreadable answer a message quotes, characters. */
const QUOTED_CHARACTERS = 60;

/** Parses what a command printed. Throws a Refusal that quotes its beginning when that is no JSON and nothing else. */
export function readJsonOutput(output: Buffer): unknown {
  const text = output.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch {
    const beginning = toOneLine(redactSecrets(text.slice(0, QUOTED_CHARACTERS * 4)), QUOTED_CHARACTERS);
    throw new Refusal(
      beginning === ''
        ? 'printed nothing where JSON was expected'
        : `printed no JSON but ${JSON.stringify(beginning)}`,
    );
  }
}

/** The value under a path of field names such as `data.skills`; own fields only. Undefined when it is not there. */
export function takeField(value: unknown, path: string | undefined): unknown {
  let found = value;
  for (const name of path?.split('.') ?? []) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}
