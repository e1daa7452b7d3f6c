import { isMap, isScalar, type Node, type YAMLMap } from 'yaml';
import { type ParsedBlock, startOf } from './parse-yaml.js';

/** One `key: value` of a mapping, with the place to name when something is wrong with it. */
export interface YamlEntry {
  readonly key: string;
  /** The value as plain JavaScript; null for a blank one. */
  readonly value: unknown;
  readonly node: Node | null;
  /** `line:column` of the value, or of the key when there is no value. */
  readonly at: string;
}

/** The entries of a mapping in order; keys that are no text appear as they are written. */
export function readEntries(map: YAMLMap, { at }: Pick<ParsedBlock, 'at'>): YamlEntry[] {
  return map.items.map((pair) => {
    const node = isNode(pair.value) ? pair.value : null;
    const place = node ?? (isNode(pair.key) ? pair.key : null);
    return {
      key: isScalar(pair.key) ? String(pair.key.value) : String(pair.key),
      value: node === null ? null : toPlain(node),
      node,
      at: at(place === null ? 0 : startOf(place)),
    };
  });
}

/** The entries of a value that is a mapping; undefined for any other value. */
export function readNested(entry: YamlEntry, block: Pick<ParsedBlock, 'at'>): YamlEntry[] | undefined {
  return isMap(entry.node) ? readEntries(entry.node, block) : undefined;
}

/** What a value is, in the words of a message: `got number`. */
export function nameType(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'mapping' : typeof value;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}

function toPlain(node: Node): unknown {
  const plain: unknown = node.toJSON();
  return plain;
}
