import { isScalar } from 'yaml';
import type { Finding } from './finding.js';
import type { ParsedBlock } from './parse-yaml.js';
import { nameType, type YamlEntry } from './yaml-entries.js';

/** Longest description that clients show whole, code points. */
export const MAX_DESCRIPTION = 1_024;

/** A text field; blank counts as missing, another type costs the field alone. */
export function readText(entry: YamlEntry | undefined, findings: Finding[]): string | undefined {
  return takeText(entry, 'malformed-frontmatter', findings);
}

/** The description, with all that can be wrong with one: missing, too long, cut by a comment. */
export function readDescription(
  entry: YamlEntry | undefined,
  parsed: ParsedBlock,
  findings: Finding[],
): string | undefined {
  const before = findings.length;
  const description = takeText(entry, 'description', findings);
  if (description === undefined) {
    if (findings.length === before)
      findings.push({ reason: 'description', detail: 'description is missing' });
    return undefined;
  }
  const length = [...description.trim()].length;
  if (length > MAX_DESCRIPTION) {
    const detail = `description has ${length} characters, over ${MAX_DESCRIPTION}: listings show it cut`;
    findings.push({ reason: 'description', detail });
  }
  const comment = entry === undefined ? undefined : findComment(entry, parsed);
  if (comment !== undefined) {
    findings.push({ reason: 'description', detail: `description cut by a comment at ${comment}; quote it` });
  }
  return description;
}

/** A switch: `true` or `false`, anything else is reported and counts as not set. */
export function readFlag(entry: YamlEntry | undefined, findings: Finding[]): boolean {
  if (entry === undefined || entry.value === null || typeof entry.value === 'boolean') {
    return entry?.value === true;
  }
  const detail = `${entry.key} must be true or false (got ${nameType(entry.value)}) at ${entry.at}`;
  findings.push({ reason: 'declaration', detail });
  return false;
}

function takeText(
  entry: YamlEntry | undefined,
  reason: Finding['reason'],
  findings: Finding[],
): string | undefined {
  if (entry === undefined || entry.value === null) return undefined;
  if (typeof entry.value === 'string') return entry.value.trim() === '' ? undefined : entry.value;
  const detail = `${entry.key} must be a string (got ${nameType(entry.value)}) at ${entry.at}`;
  findings.push({ reason, detail });
  return undefined;
}

/** Place of a ` #` that ended a plain value early; authors who write "fix issue #1" seldom mean a comment. */
function findComment({ node }: YamlEntry, { text, at }: ParsedBlock): string | undefined {
  if (!isScalar(node) || node.type !== 'PLAIN' || !node.range) return undefined;
  const [, end] = node.range;
  const blanks = /^[ \t]+(?=#)/.exec(text.slice(end, text.indexOf('\n', end)));
  return blanks === null ? undefined : at(end + blanks[0].length);
}
