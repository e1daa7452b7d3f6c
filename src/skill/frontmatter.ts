import { type DeclarationResult, NO_DECLARATION, readDeclaration } from './declaration.js';
import type { Finding } from './finding.js';
import { readDescription, readFlag, readText } from './frontmatter-fields.js';
import { type BlockFault, openBlock } from './open-block.js';
import type { ParsedBlock } from './parse-yaml.js';
import { readEntries, readNested, type YamlEntry } from './yaml-entries.js';

/** What one block says, as far as it could be understood. */
export interface Frontmatter {
  readonly name?: string;
  readonly description?: string;
  readonly whenToUse?: string;
  readonly disableModelInvocation: boolean;
  readonly declaration: DeclarationResult;
  /** The whole block as plain values, keys as written. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
}

// The published format, and what clients in wide use read beside it.
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'version',
  'author',
  'when-to-use',
  'when_to_use',
  'mcp-host',
  'disable-model-invocation',
  'user-invocable',
  'argument-hint',
  'arguments',
  'model',
  'context',
  'agent',
  'hooks',
  'paths',
  'effort',
  'shell',
  'tags',
  'category',
]);

/** How the report of keys that nobody reads begins. */
export const UNKNOWN_KEYS = 'unknown keys ignored';

/** Reads the block of a SKILL.md; a fault means that it does not parse and that the skill is not served. */
export function readFrontmatter(block: string, options: { strict: boolean }): Frontmatter | BlockFault {
  const opened = openBlock(block, options);
  if ('fault' in opened) return opened;
  const { parsed } = opened;
  const entries = parsed.mapping === null ? [] : readEntries(parsed.mapping, parsed);
  const findings: Finding[] = [...opened.findings];
  const field = (key: string): YamlEntry | undefined => entries.find((entry) => entry.key === key);
  const name = readText(field('name'), findings);
  const description = readDescription(field('description'), parsed, findings);
  const whenToUse = readWhenToUse(field, findings);
  const disableModelInvocation = readFlag(field('disable-model-invocation'), findings);
  const declaration = opened.recovered
    ? withdrawScripts(readHostBlock(field, parsed, findings), findings)
    : readHostBlock(field, parsed, findings);
  reportUnknownKeys(entries, findings);
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(whenToUse === undefined ? {} : { whenToUse }),
    disableModelInvocation,
    declaration,
    values: parsed.toValues(),
    findings,
  };
}

type FieldOf = (key: string) => YamlEntry | undefined;

function readWhenToUse(field: FieldOf, findings: Finding[]): string | undefined {
  const hyphened = readText(field('when-to-use'), findings);
  const underscored = readText(field('when_to_use'), findings);
  if (hyphened !== undefined && underscored !== undefined && hyphened !== underscored) {
    findings.push({ reason: 'declaration', detail: 'when_to_use is ignored: when-to-use is there as well' });
  }
  return hyphened ?? underscored;
}

function readHostBlock(field: FieldOf, parsed: ParsedBlock, findings: Finding[]): DeclarationResult {
  const own = field('mcp-host');
  const metadata = field('metadata');
  const nested = metadata && readNested(metadata, parsed)?.find((entry) => entry.key === 'mcp-host');
  if (own !== undefined && nested !== undefined) {
    const detail = `mcp-host stands at the top level and in metadata (${nested.at}); the former counts`;
    findings.push({ reason: 'declaration', detail });
  }
  const entry = own ?? nested;
  return entry === undefined ? NO_DECLARATION : readDeclaration(entry, parsed, findings);
}

/** A block that had to be guessed at keeps its words; what it would let run was not read from what was written. */
function withdrawScripts(read: DeclarationResult, findings: Finding[]): DeclarationResult {
  const { run, egress } = read.declaration;
  if (run.length === 0) return read;
  const reason = 'the frontmatter had to be recovered: quote the value that it names';
  findings.push({ reason: 'declaration', detail: `no script can run: ${reason}` });
  return {
    declaration: { run: [], egress },
    refused: [...read.refused, ...run.map(({ script }) => ({ script, reason }))],
  };
}

function reportUnknownKeys(entries: readonly YamlEntry[], findings: Finding[]): void {
  const unknown = entries.map(({ key }) => key).filter((key) => !KNOWN_KEYS.has(key));
  if (unknown.length === 0) return;
  findings.push({ reason: 'declaration', detail: `${UNKNOWN_KEYS}: ${unknown.join(', ')}` });
}
