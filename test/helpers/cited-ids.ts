const HEAD = /^[ \t]*(?:it|test|describe)((?:\.\w+)*)/gm;
const TITLE = /^\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/;
const STRING = /^(['"`])(?:(?!\1)[^\\]|\\.)*\1/;
const IDS = /\[([a-z-]+\.[a-z0-9-]+(?:, [a-z-]+\.[a-z0-9-]+)*)\]$/;

/** The ids of requirements with which the titles of tests and groups in a test file end. */
export function citedIds(text: string): string[] {
  return readTitles(text).flatMap((title) => IDS.exec(title)?.[1]?.split(', ') ?? []);
}

/** Titles of it('…'), it.each(…)('…'), describe.runIf(…)('…') and the like; not of what is skipped or still to do. */
function readTitles(text: string): string[] {
  return [...text.matchAll(HEAD)].flatMap((head) => {
    if (/\.(?:skip|todo)\b/.test(head[1] ?? '')) return [];
    let rest = text.slice(head.index + head[0].length);
    if (rest.startsWith('<')) rest = rest.slice(rest.indexOf('>(') + 1);
    while (rest.startsWith('(')) {
      const title = TITLE.exec(rest)?.[2];
      if (title !== undefined) return [title];
      rest = rest.slice(lengthOfGroup(rest));
    }
    return [];
  });
}

/** Length of a group in parentheses, from its opening to its closing one; parentheses in strings do not count. */
function lengthOfGroup(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    at += STRING.exec(text.slice(at))?.[0].length ?? 0;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
