import { isScalar } from 'yaml';
import { z } from 'zod';
import { readDeclaredScript } from './declared-script.js';
import type { Finding } from './finding.js';
import type { ParsedBlock } from './parse-yaml.js';
import type { Declaration, DeclaredScript } from './skill.js';
import { nameType, readNested, type YamlEntry } from './yaml-entries.js';

/** A declaration and the entries of it that can never run. */
export interface DeclarationResult {
  readonly declaration: Declaration;
  readonly refused: readonly { readonly script: string; readonly reason: string }[];
}

/** What a skill without an mcp-host block declares. */
export const NO_DECLARATION: DeclarationResult = Object.freeze({
  declaration: Object.freeze({ run: [], egress: [] }),
  refused: [],
});

const KNOWN_KEYS: ReadonlySet<string> = new Set(['version', 'run', 'env', 'egress']);

// Proposals for the server's own environment: read for their shape alone, nothing here acts on them.
const EnvProposals = z.array(z.looseObject({ name: z.string() }));
const Hosts = z.array(z.unknown());
const Host = z.string().regex(/^(?:\*\.)?[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,253})(?::\d{1,5})?$/u);

/** Reads the mcp-host block. Each fault costs what it stands in: an entry, or the block when the version is unknown. */
export function readDeclaration(
  block: YamlEntry,
  parsed: ParsedBlock,
  findings: Finding[],
): DeclarationResult {
  const report = (detail: string): void => {
    findings.push({ reason: 'declaration', detail });
  };
  const entries = readNested(block, parsed);
  if (entries === undefined) {
    report(`mcp-host must be a mapping (got ${nameType(block.value)}) at ${block.at}; it is ignored`);
    return NO_DECLARATION;
  }
  const field = (key: string): YamlEntry | undefined => entries.find((entry) => entry.key === key);
  if (!isVersionOne(field('version'))) {
    const version = field('version');
    const got = version === undefined ? 'it is missing' : `got ${showVersion(version)}`;
    report(
      `mcp-host.version must be the integer 1 (${got}) at ${version?.at ?? block.at}; mcp-host is ignored`,
    );
    return NO_DECLARATION;
  }
  const unknown = entries.filter(({ key }) => !KNOWN_KEYS.has(key));
  if (unknown.length > 0)
    report(`unknown keys of mcp-host ignored: ${unknown.map(({ key }) => key).join(', ')}`);
  reportEnvProposals(field('env'), report);
  const { run, refused } = readRun(field('run'), report);
  return { declaration: { run, egress: readEgress(field('egress'), report) }, refused };
}

/** As it is written: `1.0` and `1` are one value. */
function showVersion({ node, value }: YamlEntry): string {
  const isPlain = typeof value === 'number' && isScalar(node) && node.source !== undefined;
  return isPlain ? String(node.source) : JSON.stringify(value);
}

function isVersionOne(entry: YamlEntry | undefined): boolean {
  // 1.0 is the number 1 to JavaScript, but no integer to YAML.
  return entry?.value === 1 && isScalar(entry.node) && !/[.eE]/.test(entry.node.source ?? '');
}

function readRun(entry: YamlEntry | undefined, report: (detail: string) => void) {
  const run: DeclaredScript[] = [];
  const refused: { script: string; reason: string }[] = [];
  if (entry === undefined || entry.value === null) return { run, refused };
  const rows = z.array(z.unknown()).safeParse(entry.value);
  if (!rows.success) {
    report(`mcp-host.run must be a list (got ${nameType(entry.value)}) at ${entry.at}`);
    return { run, refused };
  }
  const declared = new Set<string>();
  for (const [index, row] of rows.data.entries()) {
    const where = `mcp-host.run[${index}]`;
    const read = readDeclaredScript(row, (detail) => report(`${where}${detail}`));
    const isDuplicate = read.script !== undefined && declared.has(read.script);
    if ('entry' in read) declared.add(read.script);
    if (isDuplicate)
      report(`${where}: ${JSON.stringify(read.script)} is declared twice; the first one counts`);
    else if ('entry' in read) run.push(read.entry);
    else if (read.script !== undefined) refused.push({ script: read.script, reason: read.reason });
  }
  return { run, refused: refused.filter(({ script }) => !declared.has(script)) };
}

function readEgress(entry: YamlEntry | undefined, report: (detail: string) => void): string[] {
  if (entry === undefined || entry.value === null) return [];
  const rows = Hosts.safeParse(entry.value);
  if (!rows.success) {
    report(`mcp-host.egress must be a list of hosts (got ${nameType(entry.value)}) at ${entry.at}`);
    return [];
  }
  const hosts: string[] = [];
  for (const [index, row] of rows.data.entries()) {
    const host = Host.safeParse(row);
    if (host.success) hosts.push(host.data);
    else report(`mcp-host.egress[${index}] is not a host name; it is ignored`);
  }
  return [...new Set(hosts)];
}

function reportEnvProposals(entry: YamlEntry | undefined, report: (detail: string) => void): void {
  if (entry === undefined || entry.value === null || EnvProposals.safeParse(entry.value).success) return;
  report(`mcp-host.env must be a list of {name, secret} at ${entry.at}; it is ignored`);
}
