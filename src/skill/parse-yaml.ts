import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { BLOCK_LINE } from './split-frontmatter.js';

/** A parsed block and the means to say where something stands in the file. */
export interface ParsedBlock {
  /** Null for an empty block. */
  readonly mapping: YAMLMap | null;
  readonly text: string;
  /** `line:column` in the file for an offset in the block; columns in characters. */
  readonly at: (offset: number) => string;
  /** The mapping as plain values, keys as written. */
  readonly toValues: () => Readonly<Record<string, unknown>>;
}

/** Parses one block by the YAML 1.2 core schema; errors, warnings, anchors, aliases and duplicate keys are faults. */
export function parseYaml(block: string): ParsedBlock | { readonly fault: string } {
  const lines = new LineCounter();
  const at = (offset: number): string => locate(block, lines, offset);
  try {
    // The parser's own search for duplicates compares every pair of keys: 240 ms for 6,000 of them.
    const document = parseDocument(block, {
      version: '1.2',
      schema: 'core',
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      // `silent` would also keep quiet about a second document.
      logLevel: 'error',
    });
    const [finding] = [...document.errors, ...document.warnings];
    if (finding !== undefined) return { fault: `${explain(finding)} at ${at(finding.pos[0])}` };
    const { contents } = document;
    const empty = contents === null || (isScalar(contents) && contents.value === null);
    if (!empty && !isMap(contents)) return { fault: `frontmatter is not a mapping at ${at(0)}` };
    const refused = findRefusedNode(contents, at);
    if (refused !== undefined) return { fault: refused };
    return {
      mapping: isMap(contents) ? contents : null,
      text: block,
      at,
      toValues: () => ({ ...document.toJS() }),
    };
  } catch (error) {
    // Deep nesting ends the parser's recursion, nothing else does.
    if (error instanceof RangeError) return { fault: 'nested too deep' };
    throw error;
  }
}

function explain(finding: { code: string; message: string }): string {
  if (finding.code === 'RESOURCE_EXHAUSTION') return 'nested too deep';
  if (finding.code === 'MULTIPLE_DOCS') return 'more than one document';
  return finding.message;
}

/** Walks the tree with a stack of its own; a recursion could be made to overflow. */
function findRefusedNode(contents: unknown, at: ParsedBlock['at']): string | undefined {
  const pending: unknown[] = [contents];
  while (pending.length > 0) {
    const node = pending.pop();
    if (isAlias(node)) return `alias *${node.source} refused at ${at(startOf(node))}`;
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) continue;
    if (node.anchor !== undefined) return `anchor &${node.anchor} refused at ${at(startOf(node))}`;
    if (isSeq(node)) pending.push(...node.items);
    if (isMap(node)) {
      const duplicate = findDuplicateKey(node);
      if (duplicate !== undefined) return `duplicate key at ${at(startOf(duplicate))}`;
      for (const pair of node.items) pending.push(pair.key, pair.value);
    }
  }
  return undefined;
}

function findDuplicateKey(map: YAMLMap): Node | undefined {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    // As text: plain values have text keys, so 1 and "1" would overwrite each other.
    const name = String(key.value);
    if (seen.has(name)) return key;
    seen.add(name);
  }
  return undefined;
}

/** Offset of a node in its block. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function locate(block: string, lines: LineCounter, offset: number): string {
  const { line } = lines.linePos(offset);
  const start = lines.lineStarts[line - 1] ?? 0;
  return `${line - 1 + BLOCK_LINE}:${[...block.slice(start, offset)].length + 1}`;
}
