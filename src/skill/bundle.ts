import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeErrno, isAbsent } from '../errors/errno.js';
import { followLink } from './follow-link.js';
import { type DirectoryEntry, listDirectory } from './list-directory.js';
import { makeProblem } from './make-problem.js';
import type { Problem, ProblemReason } from './problem.js';
import { brokenPathRule, isHiddenName, isInside } from './safe-path.js';
import type { BundleFile } from './skill.js';

/** The walk of one skill stops at either of these. */
export const MAX_FILES = 2_000;
export const MAX_DIRECTORIES = 2_000;

/** What a skill's directory holds. */
export interface BundleListing {
  /** Sorted by path. */
  readonly files: readonly BundleFile[];
  readonly bytes: number;
  readonly insideLinks: number;
  readonly problems: readonly Problem[];
}

/** Walks one skill without following links; never rejects. `directory` is a real path. */
export async function walkBundle(directory: string): Promise<BundleListing> {
  const walk = new BundleWalk(directory);
  await walk.run();
  const files = walk.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  return { files, bytes, insideLinks: walk.insideLinks, problems: walk.problems };
}

class BundleWalk {
  readonly files: BundleFile[] = [];
  readonly problems: Problem[] = [];
  insideLinks = 0;
  readonly #directory: string;
  readonly #pending: string[] = [''];
  #seen = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async run(): Promise<void> {
    for (let directories = 1; ; directories++) {
      const relative = this.#pending.shift();
      if (relative === undefined) return;
      if (directories > MAX_DIRECTORIES) {
        this.#report('', 'file-limit', `more than ${MAX_DIRECTORIES} directories; the rest is not listed`);
        return;
      }
      if (!(await this.#walkDirectory(relative))) return;
    }
  }

  /** False when the walk is over. */
  async #walkDirectory(relative: string): Promise<boolean> {
    try {
      // Room for hidden names and directories beside as many files as the walk may list.
      const limit = MAX_FILES + MAX_DIRECTORIES;
      const { entries, cut } = await listDirectory(join(this.#directory, relative), limit);
      for (const entry of entries) {
        if (isHiddenName(entry.name)) continue;
        if (entry.kind !== 'directory' && ++this.#seen > MAX_FILES) return this.#stop();
        await this.#take(entry, relative === '' ? entry.name : `${relative}/${entry.name}`);
      }
      return cut ? this.#stop() : true;
    } catch (error) {
      if (relative === '' || !isAbsent(error)) this.#report(relative, 'unusable-path', describeErrno(error));
      return true;
    }
  }

  async #take({ kind, addressable }: DirectoryEntry, path: string): Promise<void> {
    if (!addressable) return this.#report(path, 'unusable-path', 'the name is not valid UTF-8');
    const rule = brokenPathRule(path);
    if (rule !== undefined) return this.#report(path, 'unusable-path', `cannot be addressed: ${rule}`);
    if (kind === 'directory') this.#pending.push(path);
    else if (kind === 'link') await this.#takeLink(path);
    else if (kind === 'special') this.#report(path, 'unusable-path', 'special file (FIFO, socket or device)');
    else await this.#takeFile(path);
  }

  async #takeFile(path: string): Promise<void> {
    try {
      const { size } = await lstat(join(this.#directory, path));
      this.files.push({ path, size });
    } catch (error) {
      // Gone between the listing and now: it is not in the bundle.
      if (!isAbsent(error)) this.#report(path, 'unusable-path', describeErrno(error));
    }
  }

  async #takeLink(path: string): Promise<void> {
    const found = await followLink(join(this.#directory, path));
    if ('broken' in found) return this.#report(path, 'symlink-escape', found.broken);
    if (!isInside(this.#directory, found.realPath)) {
      return this.#report(
        path,
        'symlink-escape',
        `symlink out of the skill -> ${found.target}; it is not served`,
      );
    }
    if (found.kind === 'special') return this.#report(path, 'unusable-path', 'symlink to a special file');
    this.insideLinks += 1;
  }

  #stop(): false {
    this.#report('', 'file-limit', `more than ${MAX_FILES} files; the rest is not listed`);
    return false;
  }

  #report(relative: string, reason: ProblemReason, detail: string): void {
    this.problems.push(makeProblem(join(this.#directory, relative), reason, detail));
  }
}
