/** A test or group with its title: it('…', it.each(…)('…', describe.skipIf(…)("…". Not .skip and not .todo. */
const TITLE =
  /^[ \t]*(?:it|test|describe)(?:\.(?!skip\b|todo\b)\w+)*(?:\((?:[^()'"`]|\([^()]*\)|'[^'\n]*')*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm;
const IDS = /\[([a-z-]+\.[a-z0-9-]+(?:, [a-z-]+\.[a-z0-9-]+)*)\]$/;

/** The ids of requirements that the titles in a test file end with. */
export function citedIds(text: string): string[] {
  return [...text.matchAll(TITLE)].flatMap(([, , title = '']) => IDS.exec(title)?.[1]?.split(', ') ?? []);
}
