import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A JSON text with the place of every value in it. */
export interface JsonDocument {
  readonly root: Node;
  /** `line:column` of an offset, both from 1, the column in characters. */
  place(offset: number): string;
}

/** Parses strict JSON (no comments, no trailing commas). Returns a phrase with line:column when it is none. */
export function parseJsonDocument(source: string): JsonDocument | string {
  // An editor on Windows may have left a byte order mark; blanked out, it moves no offset.
  const text = source.replace(/^\uFEFF/, ' ');
  const place = (offset: number) => placeOf(text, offset);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error !== undefined) return `not JSON: ${describeParseError(error)} at ${place(error.offset)}`;
  if (root === undefined) return 'not JSON: it is empty';
  return { root, place };
}

/** What the parser found wrong, as words. */
export function describeParseError({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

/** The members of an object node in their order; none for any other node. */
export function membersOf(node: Node): readonly { key: string; keyNode: Node; value: Node }[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children = [] }) => {
    const [keyNode, value] = children;
    if (keyNode === undefined || value === undefined) return [];
    return [{ key: String(keyNode.value), keyNode, value }];
  });
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return `${line}:${[...before.slice(lineStart)].length + 1}`;
}
