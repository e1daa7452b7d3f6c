import { isNode } from 'yaml';
import { decodeSkillMd } from './decode-skill-md.js';
import { openBlock } from './open-block.js';
import { startOf } from './parse-yaml.js';
import { readCapped } from './read-capped.js';
import { MAX_SKILL_MD_BYTES, SKILL_MD } from './skill-md.js';
import { checkSpecification, type Departure } from './specification.js';
import { splitFrontmatter } from './split-frontmatter.js';
import { readEntries } from './yaml-entries.js';

/** What an author wants to know of one SKILL.md beside what discovery reports. */
export interface Inspection {
  readonly departures: readonly Departure[];
  /** Place of each top-level value, `line:column`. */
  readonly places: ReadonlyMap<string, string>;
}

/** Judges the SKILL.md of a real directory by the specification; undefined when it does not even parse. */
export async function inspectSkillMd(directory: string): Promise<Inspection | undefined> {
  const read = await readCapped(directory, SKILL_MD, MAX_SKILL_MD_BYTES);
  if ('fault' in read) return undefined;
  const decoded = decodeSkillMd(read.bytes);
  if ('fault' in decoded) return undefined;
  const split = splitFrontmatter(decoded.text);
  if ('fault' in split) return undefined;
  const opened = openBlock(split.block, { strict: false });
  if ('fault' in opened) return undefined;
  const { parsed } = opened;
  const entries = parsed.mapping === null ? [] : readEntries(parsed.mapping, parsed);
  const keyPlaces = new Map(
    parsed.mapping?.items.map(({ key }) => [String(key), parsed.at(isNode(key) ? startOf(key) : 0)]),
  );
  const head = decoded.text.slice(0, decoded.text.length - split.body.length);
  const headLines = head.split('\n').length - 1;
  return {
    departures: checkSpecification({ directory, entries, parsed, keyPlaces, body: split.body, headLines }),
    places: new Map(entries.map(({ key, at }) => [key, at])),
  };
}
