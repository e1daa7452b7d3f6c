import { z } from 'zod';
import type { RegistryConfig } from '../config/registry-config.js';
import type { CachePaths } from './cache-paths.js';
import { isOutage } from './fault.js';
import type { GitData } from './git-data.js';
import { Operation } from './operation.js';
import { recall, remember } from './remembered.js';

/** The answer is for everybody who waits: one caller that goes away must not take it from the others. */
const NEVER_CANCELLED = new AbortController().signal;

const Remembered = z.object({ branch: z.string() });

/** What the first call of GitHub found out: the repository's default branch, or why it cannot be used. */
export class Connection {
  readonly #config: RegistryConfig;
  readonly #git: GitData;
  readonly #paths: CachePaths;
  readonly #note: (line: string) => void;
  #defaultBranch: string | undefined;
  #asking: Promise<string> | undefined;

  constructor(config: RegistryConfig, git: GitData, paths: CachePaths, note: (line: string) => void) {
    this.#config = config;
    this.#git = git;
    this.#paths = paths;
    this.#note = note;
  }

  /** Asks GitHub once, and again only after a failure. Rejects with a RegistryFault. */
  async check(): Promise<string> {
    if (this.#defaultBranch !== undefined) return this.#defaultBranch;
    this.#asking ??= this.#ask(new Operation(NEVER_CANCELLED)).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /**
   * The branch that is read and written: the configured one, else the repository's own. When GitHub does not answer
   * for the latter, the one that this machine saw last.
   */
  async branch(operation: Operation): Promise<string> {
    if (this.#config.branch !== undefined) return this.#config.branch;
    try {
      return await this.check();
    } catch (error) {
      operation.check();
      if (!isOutage(error)) throw error;
      const last = await recall(Remembered, this.#paths.defaultBranch);
      if (last === undefined) throw error;
      return last.branch;
    }
  }

  async #ask(operation: Operation): Promise<string> {
    const branch = await this.#git.readDefaultBranch(operation);
    this.#defaultBranch = branch;
    await remember(this.#paths.defaultBranch, { branch }, this.#note);
    return branch;
  }
}
