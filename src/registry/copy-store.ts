import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeErrno } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import type { CachePaths } from './cache-paths.js';
import { EXECUTABLE_MODE } from './git-hash.js';
import { hashFolder } from './hash-folder.js';

/** Older leavings of a process that died while it wrote a copy are removed, ms. */
const LEAVINGS_MS = 3_600_000;

/** One file of a copy that is to be written. */
export interface CopyFile {
  readonly path: string;
  readonly mode: string;
  readonly bytes: Buffer;
}

/** Verified copies of skills, one folder for each tree: written once as a whole, looked through at every use. */
export class CopyStore {
  readonly #paths: CachePaths;
  readonly #now: () => number;
  readonly #note: (line: string) => void;

  /** `now` is ms since 1970. */
  constructor(paths: CachePaths, now: () => number, note: (line: string) => void) {
    this.#paths = paths;
    this.#now = now;
    this.#note = note;
  }

  /** The folder of a copy that is there and holds exactly that tree; undefined otherwise. */
  async find(slug: string, treeSha: string): Promise<string | undefined> {
    const folder = this.#paths.copy(slug, treeSha);
    const found = await hashFolder(folder);
    if (found.state === 'absent') return undefined;
    if (found.state === 'whole' && found.treeSha === treeSha) return folder;
    this.#note(
      `the copy ${folder} is harmed: ${found.state === 'harmed' ? found.reason : 'its files differ'}`,
    );
    return undefined;
  }

  /** Writes a copy beside, proves it, and moves it into place; a reader never sees a part of it. */
  async write(slug: string, treeSha: string, files: readonly CopyFile[]): Promise<string> {
    const unfinished = join(this.#paths.unfinished, randomUUID());
    const folder = this.#paths.copy(slug, treeSha);
    try {
      await this.#removeLeavings();
      await writeFiles(unfinished, files);
      const written = await hashFolder(unfinished);
      if (written.state !== 'whole' || written.treeSha !== treeSha) {
        throw new Refusal(`what was downloaded for ${slug} is not the tree ${treeSha}; nothing was kept`);
      }
      await mkdir(dirname(folder), { recursive: true });
      await this.#moveIntoPlace(unfinished, folder, slug, treeSha);
      return folder;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(`the cache ${this.#paths.root} cannot be written: ${describeErrno(error)}`);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  async #moveIntoPlace(unfinished: string, folder: string, slug: string, treeSha: string): Promise<void> {
    try {
      await rename(unfinished, folder);
    } catch (error) {
      // Somebody else has just written the same copy, or what is there is harmed and has to go first.
      if ((await this.find(slug, treeSha)) !== undefined) return;
      const harmed = join(this.#paths.unfinished, randomUUID());
      await rename(folder, harmed).catch(() => {
        throw error;
      });
      await rename(unfinished, folder);
      await rm(harmed, { recursive: true, force: true });
    }
  }

  async #removeLeavings(): Promise<void> {
    await mkdir(this.#paths.unfinished, { recursive: true });
    for (const name of await readdir(this.#paths.unfinished)) {
      const path = join(this.#paths.unfinished, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && this.#now() - found.mtimeMs > LEAVINGS_MS) {
        await rm(path, { recursive: true, force: true });
      }
    }
  }
}

/** Writes files below a new folder; the execute bit is kept, everything else is the usual. */
export async function writeFiles(folder: string, files: readonly CopyFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { path, mode, bytes } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { flag: 'wx', mode: mode === EXECUTABLE_MODE ? 0o755 : 0o644 });
  }
}
