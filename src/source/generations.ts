import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Directory in a generation that holds what was fetched. */
const TREE = 'tree';
const RECORD = 'source.json';
const POINTER = 'current';
const NAME = /^gen-[0-9a-f]{16}$/;

/** Generations that stay: a path that an agent was given must not vanish under it. */
const KEPT = 2;

/** What a finished generation says about itself. */
export const GenerationRecord = z.object({
  kind: z.enum(['github', 'cli']),
  repo: z.string().optional(),
  ref: z.string().optional(),
  sha: z.string().optional(),
  /** Relative to the tree's base; what is to be scanned. */
  paths: z.array(z.string()),
  /** Name of the directory in the tree that is the base. */
  base: z.string().regex(/^(?!\.{1,2}$)[^/\\\0]+$/),
  /** Time of the sync, ISO 8601. */
  at: z.string(),
  /** Names of the directories with a SKILL.md. */
  skills: z.array(z.string()),
  /** What is not as it was asked for, one line each. */
  warnings: z.array(z.string()),
});
export type GenerationRecord = z.infer<typeof GenerationRecord>;

/** A finished generation on the disk. */
export interface Generation {
  readonly name: string;
  /** Absolute: where the source's paths start. */
  readonly base: string;
  readonly record: GenerationRecord;
}

/** The generations of one source: each sync writes one of its own, a pointer names the one that counts. */
export class Generations {
  readonly directory: string;

  /** `directory` is the source's own, absolute; it need not exist. */
  constructor(directory: string) {
    this.directory = directory;
  }

  /** The one that counts, undefined when none is whole. A pointer that leads nowhere is healed by the newest one. */
  async current(): Promise<Generation | undefined> {
    const pointed = await readFile(join(this.directory, POINTER), 'utf8').catch(() => '');
    const found = await this.#read(pointed.trim());
    return found ?? (await this.#finished()).at(0);
  }

  /** Text that changes whenever another generation counts. Cheap: for every call. */
  async mark(): Promise<string> {
    try {
      const { ino, mtimeMs, ctimeMs } = await stat(join(this.directory, POINTER));
      return [ino, mtimeMs, ctimeMs].join(':');
    } catch {
      return 'none';
    }
  }

  /** Makes an empty generation that does not count yet; returns its name and the place for what is fetched. */
  async begin(): Promise<{ name: string; tree: string }> {
    const name = `gen-${randomBytes(8).toString('hex')}`;
    const tree = join(this.directory, name, TREE);
    await mkdir(tree, { recursive: true });
    return { name, tree };
  }

  /** Makes a generation the one that counts. */
  async publish(name: string, record: GenerationRecord): Promise<void> {
    await writeWhole(join(this.directory, name, RECORD), `${JSON.stringify(record, undefined, 2)}\n`);
    await writeWhole(join(this.directory, POINTER), `${name}\n`);
  }

  /** Removes one that shall not count. */
  async drop(name: string): Promise<void> {
    await rm(join(this.directory, name), { recursive: true, force: true, maxRetries: 2 });
  }

  /** Removes old generations and what interrupted syncs left. Only for who holds the source's lock. */
  async sweep(): Promise<void> {
    const current = await this.current();
    const others = (await this.#finished()).filter(({ name }) => name !== current?.name);
    const kept = new Set([current, ...others.slice(0, KEPT - 1)].map((generation) => generation?.name));
    for (const name of await this.#names()) {
      if (NAME.test(name) ? !kept.has(name) : name.endsWith('.tmp')) await this.drop(name);
    }
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true, maxRetries: 2 });
  }

  /** Whole ones, newest first. */
  async #finished(): Promise<Generation[]> {
    const read = await Promise.all((await this.#names()).map((name) => this.#read(name)));
    const found = read.filter((generation) => generation !== undefined);
    return found.toSorted((a, b) => (a.record.at < b.record.at ? 1 : -1));
  }

  async #read(name: string): Promise<Generation | undefined> {
    if (!NAME.test(name)) return undefined;
    try {
      const text = await readFile(join(this.directory, name, RECORD), 'utf8');
      const record = GenerationRecord.parse(JSON.parse(text));
      const base = join(this.directory, name, TREE, record.base);
      return (await stat(base)).isDirectory() ? { name, base, record } : undefined;
    } catch {
      return undefined;
    }
  }

  async #names(): Promise<readonly string[]> {
    return readdir(this.directory).catch(() => []);
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
