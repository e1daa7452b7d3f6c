import { isMap, parseDocument } from 'yaml';
import { Refusal } from '../errors/refusal.js';
import { decodeSkillMd } from '../skill/decode-skill-md.js';
import { splitFrontmatter } from '../skill/split-frontmatter.js';
import { readSkillHead } from './skill-head.js';

/** Keys under `metadata` that say where an installed skill comes from; GitHub CLI's own skill commands read them. */
export type Provenance = Readonly<Record<`github-${string}`, string>>;

const METADATA_LINE = /^metadata:[ \t]*(?:#.*)?$/;
const PROVENANCE_LINE = /^["']?github-[\w-]+["']?[ \t]*:/;

/** The same SKILL.md with these keys in its metadata, everything else byte for byte. Throws a Refusal without a frontmatter. */
export function writeProvenance(bytes: Buffer, provenance: Provenance): Buffer {
  const bare = stripProvenance(bytes);
  const written = editBlock(
    bare,
    (lines) => insertLines(lines, provenance),
    (document) => {
      for (const [key, value] of Object.entries(provenance)) document.setIn(['metadata', key], value);
    },
    (metadata) => Object.entries(provenance).every(([key, value]) => metadata[key] === value),
  );
  if (written === undefined)
    throw new Refusal('SKILL.md: the frontmatter cannot take where the skill comes from');
  return written;
}

/** The same SKILL.md without such keys; the very same bytes when it has none or cannot be read. */
export function stripProvenance(bytes: Buffer): Buffer {
  const keys = Object.keys(readMetadata(bytes)).filter((key) => key.startsWith('github-'));
  if (keys.length === 0) return bytes;
  const stripped = editBlock(
    bytes,
    removeLines,
    (document) => {
      for (const key of keys) document.deleteIn(['metadata', key]);
      const metadata = document.get('metadata');
      if (isMap(metadata) && metadata.items.length === 0) document.delete('metadata');
    },
    (metadata) => keys.every((key) => !(key in metadata)),
  );
  return stripped ?? bytes;
}

function readMetadata(bytes: Buffer): Readonly<Record<string, unknown>> {
  const head = readSkillHead(bytes);
  if ('fault' in head) return {};
  const { metadata } = head.values;
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}

/** Edits lines, so that comments and order survive; only where that fails the block is written anew. */
function editBlock(
  bytes: Buffer,
  editLines: (lines: string[]) => string[] | undefined,
  editDocument: (document: ReturnType<typeof parseDocument>) => void,
  isRight: (metadata: Readonly<Record<string, unknown>>) => boolean,
): Buffer | undefined {
  const decoded = decodeSkillMd(bytes);
  const split = 'fault' in decoded ? decoded : splitFrontmatter(decoded.text);
  if ('fault' in decoded || 'fault' in split) return undefined;
  const mark = bytes.toString('utf8').startsWith('\ufeff') ? '\ufeff' : '';
  const start = decoded.text.indexOf('\n') + 1;
  const end = decoded.text.slice(start + split.block.length);
  const join = (block: string) => Buffer.from(mark + decoded.text.slice(0, start) + block + end);
  const newline = split.block.includes('\r\n') ? '\r\n' : '\n';
  const lines = split.block.split(/\r?\n/).slice(0, -1);
  const edited = editLines(lines);
  if (edited !== undefined) {
    const result = join(edited.map((line) => line + newline).join(''));
    if (isRight(readMetadata(result))) return result;
  }
  const document = parseDocument(split.block);
  if (document.errors.length > 0) return undefined;
  editDocument(document);
  const result = join(document.toString({ lineWidth: 0 }));
  return isRight(readMetadata(result)) ? result : undefined;
}

function insertLines(lines: readonly string[], provenance: Provenance): string[] | undefined {
  const at = lines.findIndex((line) => METADATA_LINE.test(line));
  if (at === -1 && lines.some((line) => line.startsWith('metadata'))) return undefined;
  const indent = at === -1 ? '  ' : (indentOf(lines[at + 1]) ?? '  ');
  const rows = Object.entries(provenance).map(([key, value]) => `${indent}${key}: ${JSON.stringify(value)}`);
  if (at === -1) return [...lines, 'metadata:', ...rows];
  return [...lines.slice(0, at + 1), ...rows, ...lines.slice(at + 1)];
}

function removeLines(lines: readonly string[]): string[] | undefined {
  const at = lines.findIndex((line) => METADATA_LINE.test(line));
  const indent = at === -1 ? undefined : indentOf(lines[at + 1]);
  if (indent === undefined) return undefined;
  const rest = lines.slice(at + 1);
  const length = rest.findIndex((line) => line.trim() !== '' && indentOf(line) === undefined);
  const inside = length === -1 ? rest : rest.slice(0, length);
  let isOurs = false;
  const kept = inside.filter((line) => {
    const isChild = line.startsWith(indent) && !/^[ \t]/.test(line.slice(indent.length));
    if (isChild) isOurs = PROVENANCE_LINE.test(line.slice(indent.length));
    return !isOurs;
  });
  const hasChildren = kept.some((line) => line.trim() !== '');
  return [...lines.slice(0, hasChildren ? at + 1 : at), ...kept, ...rest.slice(inside.length)];
}

function indentOf(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /^([ \t]+)\S/.exec(line)?.[1];
}
