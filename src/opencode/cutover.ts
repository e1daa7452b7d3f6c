import type { Node } from 'jsonc-parser';
import { Refusal } from '../errors/refusal.js';
import { findMember, isSameJson, parseJsonc, readValue } from './jsonc-text.js';
import { appendElement, insertMember, removeMember, replaceValue } from './splice.js';

/** Name of the server that the cutover adds. */
export const SERVER_NAME = 'skills';

/** What is to stand in the config. */
export interface CutoverOptions {
  /** Starts this server: executable, entry file, arguments. */
  readonly command: readonly string[];
  /** Absolute path of the plugin. */
  readonly plugin: string;
  /** Servers to switch off. */
  readonly disable: readonly string[];
}

/** The config after the cutover. */
export interface CutoverPlan {
  readonly text: string;
  /** Paths in the config that are different. Empty: nothing is left to do. */
  readonly changes: readonly string[];
}

/** Computes the config after the cutover. Throws a Refusal that names the path wherever it would have to guess. */
export function planCutover(text: string, options: CutoverOptions): CutoverPlan {
  const edit = new Edit(text.replace(/^\uFEFF/, '').trim() === '' ? `${text}{}\n` : text);
  edit.removeOldEntry();
  for (const name of options.disable) edit.disable(name);
  edit.addServer({ type: 'local', command: options.command });
  edit.addPlugin(options.plugin);
  edit.verify();
  return { text: edit.changes.length === 0 ? text : edit.text, changes: edit.changes };
}

type Json = Record<string, unknown>;

/** One text under edit, and beside it the value that it must have in the end. */
class Edit {
  readonly changes: string[] = [];
  text: string;
  readonly #expected: Json;

  constructor(text: string) {
    this.text = text;
    this.#expected = asObject(readValue(parseJsonc(text)), 'the top of the config');
  }

  /** The entry of the older form, directly under mcp: it would be loaded as a second server of the same name. */
  removeOldEntry(): void {
    const mcp = this.#object(['mcp']);
    if (mcp === undefined) return;
    const found = findMember(mcp, SERVER_NAME, `mcp.${SERVER_NAME}`);
    if (found === undefined) return;
    demandObject(found.value, `mcp.${SERVER_NAME}`);
    this.text = removeMember(this.text, mcp, found.property, `mcp.${SERVER_NAME}`);
    delete asObject(this.#expected.mcp, 'mcp')[SERVER_NAME];
    this.changes.push(`mcp.${SERVER_NAME}`);
  }

  disable(name: string): void {
    if (name === SERVER_NAME)
      throw new Refusal(`mcp.servers.${name} is the server to be added: it cannot be disabled`);
    const servers = this.#servers();
    const mcp = this.#object(['mcp']);
    if (servers !== undefined && findMember(servers, name, `mcp.servers.${name}`) !== undefined) {
      this.#set(['mcp', 'servers', name], 'disabled', true);
    } else if (mcp !== undefined && !isReserved(name) && findMember(mcp, name, `mcp.${name}`) !== undefined) {
      // Entries of the older form say it the other way round.
      this.#set(['mcp', name], 'enabled', false);
    } else {
      throw new Refusal(`there is no server ${JSON.stringify(name)} under mcp.servers`, {
        hint: 'nothing was changed',
      });
    }
  }

  addServer(entry: Json): void {
    const path = `mcp.servers.${SERVER_NAME}`;
    const servers = this.#servers();
    if (servers !== undefined) {
      const found = findMember(servers, SERVER_NAME, path);
      if (found === undefined) {
        this.text = insertMember(this.text, servers, SERVER_NAME, entry);
        asObject(asObject(this.#expected.mcp, 'mcp').servers, 'mcp.servers')[SERVER_NAME] = entry;
      } else if (isSameJson(readValue(found.value), entry)) return;
      else
        throw new Refusal(`${path} exists with other settings`, {
          hint: 'remove it first, nothing was changed',
        });
    } else {
      const mcp = this.#object(['mcp']);
      const value = { [SERVER_NAME]: entry };
      if (mcp === undefined) {
        this.text = insertMember(this.text, parseJsonc(this.text), 'mcp', { servers: value });
        this.#expected.mcp = { servers: value };
      } else {
        this.text = insertMember(this.text, mcp, 'servers', value);
        asObject(this.#expected.mcp, 'mcp').servers = value;
      }
    }
    this.changes.push(path);
  }

  addPlugin(plugin: string): void {
    const root = parseJsonc(this.text);
    const found = findMember(root, 'plugins', 'plugins');
    if (found === undefined) {
      this.text = insertMember(this.text, root, 'plugins', [plugin]);
      this.#expected.plugins = [plugin];
    } else {
      const plugins = readValue(found.value);
      if (!Array.isArray(plugins))
        throw new Refusal('plugins is not an array', { hint: 'nothing was changed' });
      if (plugins.some((entry) => entry === plugin || isPackage(entry, plugin))) return;
      this.text = appendElement(this.text, found.value, plugin);
      this.#expected.plugins = [...plugins, plugin];
    }
    this.changes.push('plugins');
  }

  /** The last look before anything is written: exactly the named paths are different, and it parses. */
  verify(): void {
    if (isSameJson(readValue(parseJsonc(this.text)), this.#expected)) return;
    throw new Refusal('the edit would change more of the OpenCode config than it should', {
      hint: `nothing was changed; intended were ${this.changes.join(', ')}`,
    });
  }

  #set(path: readonly string[], key: string, value: boolean): void {
    const name = path.join('.');
    const object = this.#object(path);
    if (object === undefined) throw new Refusal(`${name} is not there`);
    const found = findMember(object, key, `${name}.${key}`);
    if (found !== undefined && readValue(found.value) === value) return;
    this.text =
      found === undefined
        ? insertMember(this.text, object, key, value)
        : replaceValue(this.text, found.value, value);
    let target = this.#expected;
    for (const step of path) target = asObject(target[step], name);
    target[key] = value;
    this.changes.push(`${name}.${key}`);
  }

  #servers(): Node | undefined {
    const servers = this.#object(['mcp', 'servers']);
    if (servers === undefined) return undefined;
    const type = findMember(servers, 'type', 'mcp.servers.type')?.value.type;
    if (type !== 'string') return servers;
    throw new Refusal('mcp.servers is itself a server of the older form', {
      hint: 'give it another name first, nothing was changed',
    });
  }

  /** The object at a path of the present text; undefined when it is not there. */
  #object(path: readonly string[]): Node | undefined {
    let node = parseJsonc(this.text);
    for (const [index, key] of path.entries()) {
      const at = path.slice(0, index + 1).join('.');
      const found = findMember(node, key, at);
      if (found === undefined) return undefined;
      demandObject(found.value, at);
      node = found.value;
    }
    return node;
  }
}

function isReserved(name: string): boolean {
  return name === 'servers' || name === 'timeout';
}

function isPackage(entry: unknown, plugin: string): boolean {
  return typeof entry === 'object' && entry !== null && 'package' in entry && entry.package === plugin;
}

function demandObject(node: Node, at: string): void {
  if (node.type !== 'object') throw new Refusal(`${at} is not an object`, { hint: 'nothing was changed' });
}

function asObject(value: unknown, at: string): Json {
  if (isObject(value)) return value;
  throw new Refusal(`${at} is not an object`, { hint: 'nothing was changed' });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
