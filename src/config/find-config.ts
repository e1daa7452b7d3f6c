import { getNodeValue, type Node } from 'jsonc-parser';
import { z } from 'zod';
import { toOneLine } from '../errors/sanitize.js';
import { type JsonDocument, membersOf, parseJsonDocument } from './json-document.js';
import { knownKeys, SourceSpec } from './source-spec.js';

const MAX_VALUE_CHARACTERS = 80;

const Probability = z
  .number('must be a number from 0 to 1')
  .min(0, 'must be from 0 to 1')
  .max(1, 'must be from 0 to 1');
const Positive = (most: number) =>
  z.int('must be a whole number').min(1, 'must be at least 1').max(most, `must be at most ${most}`);

/** Thresholds of one decision model; what is missing takes the default. */
export interface ModelThresholds {
  readonly action?: number;
  readonly named?: number;
  readonly fits?: number;
}

/** What the config file says, defaults filled in. Bad entries are left out of it. */
export interface FindConfig {
  /** In order of priority; ids are unique. */
  readonly sources: readonly SourceSpec[];
  readonly decision: {
    /** Names an entry of providers.json; undefined: the lexical ranker answers. */
    readonly model: string | undefined;
    readonly strategy: 'shortlist' | 'shards';
    readonly thresholds: ReadonlyMap<string, ModelThresholds>;
  };
  readonly lexical: {
    /** Replaces the gate's threshold, which grows with the catalog; undefined: the default. */
    readonly threshold: number | undefined;
    /** Above this size of the catalog nothing is suggested. */
    readonly maxSkills: number;
  };
  /** Skills in one question of the strategy `shards`. */
  readonly shardSize: number;
  /** One deadline for everything that a decision model is asked, ms. */
  readonly timeoutMs: number;
}

/** One text read: `fault` says why nothing of it counts, `problems` what was left out. */
export interface ReadConfig {
  readonly config: FindConfig;
  readonly problems: readonly string[];
  /** The entries of `config.sources` as they stand in the file. */
  readonly stored: readonly unknown[];
  readonly fault?: string;
}

/** No sources and the defaults: what a missing file means. */
export const EMPTY_CONFIG: FindConfig = Object.freeze<FindConfig>({
  sources: [],
  decision: { model: undefined, strategy: 'shortlist', thresholds: new Map() },
  lexical: { threshold: undefined, maxSkills: 500 },
  shardSize: 120,
  timeoutMs: 3_000,
});

/** What a missing file reads as. */
export const NOTHING: ReadConfig = Object.freeze({ config: EMPTY_CONFIG, problems: [], stored: [] });

/** Reads the text of a config file: an unknown key or a bad entry is named with line:column, the rest counts. */
export function readFindConfig(text: string): ReadConfig {
  const document = parseJsonDocument(text);
  if (typeof document === 'string') return { ...NOTHING, fault: document };
  if (document.root.type !== 'object') {
    return { ...NOTHING, fault: 'there is no object at the top' };
  }
  const reader = new ConfigReader(document);
  const config = reader.read();
  return { config, problems: reader.problems, stored: reader.stored };
}

type Field = (value: Node, at: string) => void;

class ConfigReader {
  readonly problems: string[] = [];
  readonly stored: unknown[] = [];
  readonly #document: JsonDocument;

  constructor(document: JsonDocument) {
    this.#document = document;
  }

  read(): FindConfig {
    const { decision: model, lexical, ...rest } = EMPTY_CONFIG;
    const top = { ...rest, sources: [] as readonly SourceSpec[] };
    const decision = { ...model };
    const gate = { ...lexical };
    const thresholds = new Map<string, ModelThresholds>();
    this.#object(this.#document.root, '', {
      sources: (node, at) => {
        top.sources = this.#sources(node, at);
      },
      decision: (node, at) =>
        this.#object(node, at, {
          model: this.#take(z.string('must be a string').min(1, 'must not be empty'), (name) => {
            decision.model = name;
          }),
          strategy: this.#take(z.enum(['shortlist', 'shards'], 'must be shortlist or shards'), (name) => {
            decision.strategy = name;
          }),
          thresholds: (table, path) => this.#thresholds(table, path, thresholds),
        }),
      lexical: (node, at) =>
        this.#object(node, at, {
          threshold: this.#take(z.number('must be a number').min(0, 'must not be negative'), (value) => {
            gate.threshold = value;
          }),
          maxSkills: this.#take(z.int('must be a whole number').min(0, 'must not be negative'), (value) => {
            gate.maxSkills = value;
          }),
        }),
      // A choice has at most 255 options and one of them means "none".
      shardSize: this.#take(Positive(254), (value) => {
        top.shardSize = value;
      }),
      timeoutMs: this.#take(Positive(300_000), (value) => {
        top.timeoutMs = value;
      }),
    });
    return { ...top, decision: { ...decision, thresholds }, lexical: gate };
  }

  #sources(node: Node, at: string): readonly SourceSpec[] {
    if (node.type !== 'array') {
      this.#report(node, at, 'must be an array');
      return [];
    }
    const sources: SourceSpec[] = [];
    // Of two members called sources the last counts.
    this.stored.length = 0;
    for (const [index, entry] of (node.children ?? []).entries()) {
      const path = `${at}[${index}]`;
      const spec = this.#source(entry, path);
      if (spec === undefined) continue;
      if (sources.some(({ id }) => id === spec.id))
        this.#report(entry, path, `the id ${spec.id} is taken already`);
      else {
        sources.push(spec);
        this.stored.push(getNodeValue(entry));
      }
    }
    return sources;
  }

  #source(entry: Node, at: string): SourceSpec | undefined {
    if (entry.type !== 'object') {
      this.#report(entry, at, 'must be an object');
      return undefined;
    }
    const members = membersOf(entry);
    const kind: unknown = members.find(({ key }) => key === 'kind')?.value.value;
    const known = knownKeys(kind);
    const unknown = members.filter(({ key }) => known !== undefined && !known.includes(key));
    for (const { key, keyNode } of unknown)
      this.#report(keyNode, `${at}.${shorten(key)}`, 'unknown key, ignored');
    const fields = members.filter((member) => !unknown.includes(member));
    const values = Object.fromEntries(fields.map(({ key, value }) => [key, getNodeValue(value)]));
    const parsed = SourceSpec.safeParse(values);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      this.#report(...this.#locate(entry, at, issue.path), issue.message);
    return undefined;
  }

  #thresholds(node: Node, at: string, table: Map<string, ModelThresholds>): void {
    if (node.type !== 'object') this.#report(node, at, 'must be an object');
    for (const { key, value } of membersOf(node)) {
      const entry: { action?: number; named?: number; fits?: number } = {};
      this.#object(value, `${at}.${shorten(key)}`, {
        action: this.#take(Probability, (number) => {
          entry.action = number;
        }),
        named: this.#take(Probability, (number) => {
          entry.named = number;
        }),
        fits: this.#take(Probability, (number) => {
          entry.fits = number;
        }),
      });
      if (value.type === 'object') table.set(key, entry);
    }
  }

  /** Hands every member to its field and names those that have none. Of two members of one name the last counts. */
  #object(node: Node, at: string, fields: Readonly<Record<string, Field>>): void {
    if (node.type !== 'object') this.#report(node, at, 'must be an object');
    const known = new Map(Object.entries(fields));
    for (const { key, keyNode, value } of membersOf(node)) {
      const path = at === '' ? shorten(key) : `${at}.${shorten(key)}`;
      const field = known.get(key);
      if (field === undefined) this.#report(keyNode, path, 'unknown key, ignored');
      else field(value, path);
    }
  }

  #take<T>(schema: z.ZodType<T>, use: (value: T) => void): Field {
    return (node, at) => {
      const parsed = schema.safeParse(getNodeValue(node));
      if (parsed.success) use(parsed.data);
      else this.#report(node, at, parsed.error.issues[0]?.message ?? 'is not valid');
    };
  }

  /** The deepest node on the path of an issue, and its name. */
  #locate(entry: Node, at: string, path: readonly PropertyKey[]): [Node, string] {
    let node = entry;
    let name = at;
    for (const step of path) {
      name += typeof step === 'number' ? `[${step}]` : `.${String(step)}`;
      const next =
        typeof step === 'number'
          ? node.children?.[step]
          : membersOf(node).find(({ key }) => key === step)?.value;
      node = next ?? node;
    }
    return [node, name];
  }

  #report(node: Node, at: string, what: string): void {
    this.problems.push(`${this.#document.place(node.offset)} ${at}: ${what}`);
  }
}

function shorten(key: string): string {
  return toOneLine(key, MAX_VALUE_CHARACTERS);
}
