import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { describeErrno, isAbsent } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { withLock } from './exclusive-lock.js';
import { NOTHING, type ReadConfig, readFindConfig } from './find-config.js';
import { parseJsonDocument } from './json-document.js';

/** How long a change waits for another process's change, ms. */
const LOCK_WAIT_MS = 15_000;

/** A config is written by hand: more than this is no config, bytes. */
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** The config as it counts now; with a `fault` it is the one of the last whole version, or empty. */
export type ConfigState = ReadConfig;

/** An object of the file as JSON, unknown keys included. */
export type RawConfig = Record<string, unknown>;

const RawConfig = z.record(z.string(), z.unknown());

/** The config file: read again whenever it has changed, written under a lock that all processes share. */
export class ConfigStore {
  readonly path: string;
  #mark: string | undefined;
  #state: ConfigState = NOTHING;

  constructor(path: string) {
    this.path = path;
  }

  /** The newest state; a broken file leaves the last good config in force. Never rejects. */
  async read(): Promise<ConfigState> {
    const mark = await readMark(this.path);
    if (mark === this.#mark) return this.#state;
    this.#state = await this.#load();
    this.#mark = mark;
    return this.#state;
  }

  /**
   * Changes the stored JSON; unknown keys stay. `change` gets the newest version, whoever wrote it, and edits it in
   * place. Throws a Refusal for a broken file or when another process holds it for too long.
   */
  async edit(change: (raw: RawConfig) => void): Promise<void> {
    // A linked config stays a link: the file that it leads to is the one that is replaced.
    const path = await realpath(this.path).catch(() => this.path);
    await withLock(path, LOCK_WAIT_MS, async () => {
      const text = await readText(path);
      const raw = text === undefined ? {} : parseRaw(path, text);
      change(raw);
      await replaceFile(path, `${JSON.stringify(raw, undefined, indentOf(text ?? ''))}\n`);
    });
  }

  async #load(): Promise<ConfigState> {
    try {
      const text = await readText(this.path);
      if (text === undefined) return NOTHING;
      const read = readFindConfig(text);
      return read.fault === undefined ? read : this.#keepLast(read.fault);
    } catch (error) {
      return this.#keepLast(
        error instanceof Refusal ? error.message : `cannot be read: ${describeErrno(error)}`,
      );
    }
  }

  #keepLast(fault: string): ConfigState {
    const { config, stored } = this.#state;
    return { config, stored, problems: [], fault };
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > MAX_CONFIG_BYTES) throw new Refusal(`larger than ${MAX_CONFIG_BYTES} bytes`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function parseRaw(path: string, text: string): RawConfig {
  const document = parseJsonDocument(text);
  const broken = typeof document === 'string' ? document : 'there is no object at the top';
  const parsed =
    typeof document === 'string' ? undefined : RawConfig.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')));
  if (parsed?.success) return parsed.data;
  throw new Refusal(`${path} is broken: ${broken}`, { hint: 'mend it by hand first, nothing was changed' });
}

/** Changes with every write, however quick: rename gives a new inode, an edit in place a new time. */
async function readMark(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch (error) {
    return describeErrno(error);
  }
}

/** Writes beside the file and renames into place: a reader finds the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const mode = await stat(path).then(
      (stats) => stats.mode & 0o777,
      () => 0o600,
    );
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Refusal(`${path} cannot be written: ${describeErrno(error)}`);
  }
}

function indentOf(text: string): string {
  return /^\{\s*\n([ \t]+)"/.exec(text.trimStart())?.[1] ?? '  ';
}
