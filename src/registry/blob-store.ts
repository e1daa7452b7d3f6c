import { readFile } from 'node:fs/promises';
import type { CachePaths } from './cache-paths.js';
import type { GitData } from './git-data.js';
import { hashBlob } from './git-hash.js';
import type { Operation } from './operation.js';
import { writeAtomically } from './write-atomically.js';

/** Small files by their hash, kept on the disk: they never change, so they are fetched once. */
export class BlobStore {
  readonly #paths: CachePaths;
  readonly #git: GitData;
  readonly #note: (line: string) => void;

  constructor(paths: CachePaths, git: GitData, note: (line: string) => void) {
    this.#paths = paths;
    this.#git = git;
    this.#note = note;
  }

  /** From the disk when it is there and whole, else from GitHub. */
  async read(operation: Operation, sha: string): Promise<Buffer> {
    const file = this.#paths.blob(sha);
    try {
      const kept = await readFile(file);
      if (hashBlob(kept) === sha) return kept;
      this.#note(`the kept blob ${sha} is harmed and fetched again`);
    } catch {
      // Not there yet, or not readable: GitHub has it.
    }
    const bytes = await this.#git.readBlob(operation, sha);
    await this.keep(sha, bytes);
    return bytes;
  }

  /** Puts bytes that are known anyway beside the others. */
  async keep(sha: string, bytes: Buffer): Promise<void> {
    try {
      await writeAtomically(this.#paths.blob(sha), bytes);
    } catch {
      this.#note('the cache cannot be written');
    }
  }
}
