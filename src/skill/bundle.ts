import * as fs from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { describeErrno, isAbsent } from '../errors/errno.js';
import { followLink } from './follow-link.js';
import { type DirectoryEntry, type DirectoryListing, listDirectory } from './list-directory.js';
import { makeProblem } from './make-problem.js';
import type { Problem, ProblemReason } from './problem.js';
import { brokenPathRule, isHiddenName, isInside } from './safe-path.js';
import type { BundleFile } from './skill.js';
import { StampList } from './stamp-list.js';

/** The walk of one skill stops at either of these. */
export const MAX_FILES = 2_000;
export const MAX_DIRECTORIES = 2_000;

// Half the price of the same call in node:fs/promises.
const lstat = promisify(fs.lstat);

/** What a skill's directory holds. */
export interface BundleListing {
  /** Sorted by path. */
  readonly files: readonly BundleFile[];
  readonly bytes: number;
  readonly insideLinks: number;
  readonly problems: readonly Problem[];
}

/** What a walk may know already, and where it notes what it looks at. */
export interface WalkOptions {
  /** The names of the directory itself, when they were read just now. */
  readonly listing?: DirectoryListing | undefined;
  /** Files whose size is known, by path. */
  readonly sizes?: ReadonlyMap<string, number>;
  readonly stamps?: StampList;
}

/** Walks one skill without following links; never rejects. `directory` is a real path. */
export async function walkBundle(directory: string, options: WalkOptions = {}): Promise<BundleListing> {
  const walk = new BundleWalk(directory, options);
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
  readonly #options: WalkOptions;
  readonly #stamps: StampList;
  #seen = 0;

  constructor(directory: string, options: WalkOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#stamps = options.stamps ?? new StampList(directory + sep, Date.now);
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
      const known = relative === '' ? this.#options.listing : undefined;
      const listing = known ?? (await listDirectory(join(this.#directory, relative), limit));
      this.#stamps.add(relative, listing.stats);
      for (const entry of listing.entries.slice(0, limit)) {
        if (isHiddenName(entry.name)) continue;
        if (entry.kind !== 'directory' && ++this.#seen > MAX_FILES) return this.#stop();
        await this.#take(entry, relative === '' ? entry.name : `${relative}/${entry.name}`);
      }
      return listing.cut || listing.entries.length > limit ? this.#stop() : true;
    } catch (error) {
      this.#stamps.look(relative);
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
    const known = this.#options.sizes?.get(path);
    if (known !== undefined) {
      this.files.push({ path, size: known });
      return;
    }
    try {
      const found = await lstat(join(this.#directory, path));
      this.#stamps.add(path, found);
      this.files.push({ path, size: found.size });
    } catch (error) {
      // Gone between the listing and now: it is not in the bundle.
      if (!isAbsent(error)) this.#report(path, 'unusable-path', describeErrno(error));
    }
  }

  async #takeLink(path: string): Promise<void> {
    this.#stamps.look(path);
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
