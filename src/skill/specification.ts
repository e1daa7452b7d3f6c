import { basename } from 'node:path';
import { MAX_DESCRIPTION } from './frontmatter-fields.js';
import type { ParsedBlock } from './parse-yaml.js';
import { readNested, type YamlEntry } from './yaml-entries.js';

/** Where a SKILL.md departs from the Agent Skills specification, beyond what discovery reports. */
export interface Departure {
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  /** `line:column` in the file. */
  readonly at: string;
  readonly message: string;
}

const MAX_NAME = 64;
const MAX_COMPATIBILITY = 500;
/** The specification's advice: a longer body belongs into files that are read when they are needed. */
const MAX_BODY_LINES = 500;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);
const TOP = '1:1';

/** What is judged: the entries of one block and what stands around it. */
export interface SpecifiedSkill {
  readonly directory: string;
  readonly entries: readonly YamlEntry[];
  readonly parsed: ParsedBlock;
  /** Place of each top-level key, `line:column`. */
  readonly keyPlaces: ReadonlyMap<string, string>;
  readonly body: string;
  /** Lines of the file before the body. */
  readonly headLines: number;
}

/** Judges one SKILL.md by the specification's rules. */
export function checkSpecification(skill: SpecifiedSkill): Departure[] {
  const field = (key: string): YamlEntry | undefined => skill.entries.find((entry) => entry.key === key);
  return [
    ...checkName(field('name'), basename(skill.directory)),
    ...checkDescription(field('description')),
    ...checkText(field('compatibility'), MAX_COMPATIBILITY),
    ...checkText(field('license'), undefined),
    ...checkAllowedTools(field('allowed-tools')),
    ...checkMetadata(field('metadata'), skill.parsed),
    ...skill.entries.filter(({ key }) => !FIELDS.has(key)).map((entry) => describeUnknown(entry, skill)),
    ...checkBody(skill),
  ];
}

function checkName(entry: YamlEntry | undefined, directoryName: string): Departure[] {
  if (entry === undefined || entry.value === null) {
    return [
      fault('name', entry?.at ?? TOP, `name is missing; it should be ${JSON.stringify(directoryName)}`),
    ];
  }
  // Another type is reported with the frontmatter.
  if (typeof entry.value !== 'string') return [];
  const name = entry.value.trim();
  const found: Departure[] = [];
  if (!NAME.test(name)) {
    const form = 'lowercase letters a-z, digits and single hyphens between them';
    found.push(fault('name', entry.at, `name ${JSON.stringify(name)} must be ${form}`));
  }
  if ([...name].length > MAX_NAME) {
    found.push(fault('name', entry.at, `name has ${[...name].length} characters, at most ${MAX_NAME}`));
  }
  return found;
}

function checkDescription(entry: YamlEntry | undefined): Departure[] {
  if (typeof entry?.value !== 'string') return [];
  const length = [...entry.value.trim()].length;
  if (length <= MAX_DESCRIPTION) return [];
  return [fault('description', entry.at, `description has ${length} characters, at most ${MAX_DESCRIPTION}`)];
}

function checkText(entry: YamlEntry | undefined, limit: number | undefined): Departure[] {
  if (entry === undefined || entry.value === null) return [];
  if (typeof entry.value !== 'string') {
    return [fault(entry.key, entry.at, `${entry.key} must be a string`)];
  }
  const length = [...entry.value].length;
  if (limit === undefined || length <= limit) return [];
  return [fault(entry.key, entry.at, `${entry.key} has ${length} characters, at most ${limit}`)];
}

function checkAllowedTools(entry: YamlEntry | undefined): Departure[] {
  if (entry === undefined || entry.value === null) return [];
  const form = 'the specification wants one string with the tools separated by spaces';
  if (Array.isArray(entry.value)) {
    return [remark('allowed-tools', entry.at, `allowed-tools is a list: ${form}; some clients ignore it`)];
  }
  if (typeof entry.value !== 'string') return [fault('allowed-tools', entry.at, `allowed-tools: ${form}`)];
  // Commas inside parentheses belong to a tool's own pattern.
  const isListed = entry.value.replace(/\([^)]*\)/g, '').includes(',');
  return isListed ? [remark('allowed-tools', entry.at, `allowed-tools has commas: ${form}`)] : [];
}

function checkMetadata(entry: YamlEntry | undefined, parsed: ParsedBlock): Departure[] {
  if (entry === undefined || entry.value === null) return [];
  const nested = readNested(entry, parsed);
  if (nested === undefined) return [fault('metadata', entry.at, 'metadata must be a mapping')];
  return nested
    .filter(({ key, value }) => key !== 'mcp-host' && typeof value !== 'string')
    .map(({ key, at }) => remark('metadata', at, `metadata.${key} is no string: quote the value`));
}

function describeUnknown({ key, at }: YamlEntry, { keyPlaces }: SpecifiedSkill): Departure {
  const advice = key === 'mcp-host' ? 'the same block may stand under metadata:' : 'move it under metadata:';
  const message = `${key} is no field of the specification: its public validator refuses the skill; ${advice}`;
  return remark('unknown-field', keyPlaces.get(key) ?? at, message);
}

function checkBody({ body, headLines }: SpecifiedSkill): Departure[] {
  if (body.trim() === '')
    return [remark('body', `${headLines}:1`, 'there are no instructions below the head')];
  const lines = body.replace(/\r?\n$/, '').split('\n').length;
  if (lines <= MAX_BODY_LINES) return [];
  const message = `the body has ${lines} lines; over ${MAX_BODY_LINES}, move details into files beside it`;
  return [remark('body', `${headLines + MAX_BODY_LINES + 1}:1`, message)];
}

function fault(rule: string, at: string, message: string): Departure {
  return { severity: 'error', rule, at, message };
}

function remark(rule: string, at: string, message: string): Departure {
  return { severity: 'warning', rule, at, message };
}
