import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeErrno } from '../errors/errno.js';
import type { Candidate } from './candidate.js';
import { followLink } from './follow-link.js';
import type { DirectoryEntry } from './list-directory.js';
import type { Listings, SearchedListing } from './listings.js';
import { makeProblem } from './make-problem.js';
import { mapBounded } from './map-bounded.js';
import { readPointer } from './pointer-file.js';
import type { Problem, ProblemReason } from './problem.js';
import { isHiddenName, isInside } from './safe-path.js';
import { isSkillMdName, SKILL_MD } from './skill-md-name.js';
import { toSkillName } from './skill-name.js';
import type { StampList } from './stamp-list.js';

/** What a search for skills needs to know. */
export interface SearchOptions {
  /** Real paths of all configured roots: a link may lead into any of them. */
  readonly realRoots: readonly string[];
  /** Directory levels below a root (and below its skills/) that are looked at. */
  readonly depth: number;
  /** The search stops at this many skills. */
  readonly maxSkills: number;
  /** True when nobody waits for the answer any more. */
  readonly isStopped: () => boolean;
  /** Directories that an earlier search has read. */
  readonly listings: Listings;
  /** Takes every path that the outcome rests on, but for the skills' own. */
  readonly stamps: StampList;
}

/** Directory that holds skills by convention, beside the root itself. */
export const CONTAINER = 'skills';

// libuv has four threads; more work in flight than this only waits in memory.
const PARALLEL = 12;
// Each level multiplies by it.
const PARALLEL_BELOW = 2;

// Names of one directory that are looked at; a root with more is no directory of skills.
const MAX_ENTRIES = 200_000;

/** A directory that may be a skill or hold some, and how it was reached. */
interface Place {
  readonly path: string;
  readonly realPath: string;
  readonly viaLink: boolean;
}

/** The search of one root; what it finds is in its fields when `run` is over. */
export class RootSearch {
  readonly candidates: Candidate[] = [];
  readonly problems: Problem[] = [];
  /** Real directories with a SKILL.md whose name cannot be a skill's; each has its problem. */
  readonly refused: string[] = [];
  /** Directories passed over since enough skills were found. */
  unlooked = 0;
  readonly #root: string;
  readonly #options: SearchOptions;
  /** Real directories whose content was or is being looked through: a circle of links ends here. */
  readonly #containers = new Set<string>();

  constructor(root: string, options: SearchOptions) {
    this.#root = root;
    this.#options = options;
  }

  async run(): Promise<string | undefined> {
    const { stamps, listings } = this.#options;
    stamps.lookThrough(this.#root);
    try {
      const realPath = await realpath(this.#root);
      const place = { path: this.#root, realPath, viaLink: basename(realPath) !== basename(this.#root) };
      const listing = await listings.list(realPath, MAX_ENTRIES);
      if (listing.cut)
        this.#report(this.#root, 'skill-limit', `more than ${MAX_ENTRIES} names; the rest is not looked at`);
      if (!this.#takeSkill(place, listing)) await this.#searchContainer(place, listing.entries, 1);
      return realPath;
    } catch (error) {
      this.#report(this.#root, 'root-unreadable', describeErrno(error));
      return undefined;
    }
  }

  /** Looks at every directory of a container; says whether a skill was found below it. */
  async #searchContainer(
    container: Place,
    entries: readonly DirectoryEntry[],
    level: number,
  ): Promise<boolean> {
    if (this.#containers.has(container.realPath)) return true;
    this.#containers.add(container.realPath);
    const visible = entries.filter(({ name }) => !isHiddenName(name));
    const found = await mapBounded(visible, level === 1 ? PARALLEL : PARALLEL_BELOW, (entry) =>
      this.#searchEntry(container, entry, level),
    );
    return found.includes(true);
  }

  async #searchEntry(container: Place, entry: DirectoryEntry, level: number): Promise<boolean> {
    if (this.#options.isStopped()) return false;
    const path = join(container.path, entry.name);
    if (!entry.addressable) {
      this.#report(path, 'unusable-path', 'the name is not valid UTF-8');
      return false;
    }
    if (entry.kind === 'file') return this.#reportPointer(container, entry.name);
    if (entry.kind === 'special') return false;
    if (this.candidates.length >= this.#options.maxSkills) {
      this.unlooked += 1;
      return false;
    }
    const place =
      entry.kind === 'link'
        ? await this.#followInside(container, path)
        : { path, realPath: join(container.realPath, entry.name), viaLink: container.viaLink };
    return place !== undefined && (await this.#searchDirectory(place, level, this.#isConvention(path)));
  }

  async #searchDirectory(place: Place, level: number, isConvention: boolean): Promise<boolean> {
    try {
      const listing = await this.#options.listings.list(place.realPath, MAX_ENTRIES);
      const { entries } = listing;
      if (listing.cut)
        this.#report(place.path, 'skill-limit', `more than ${MAX_ENTRIES} names; the rest is not looked at`);
      if (this.#takeSkill(place, listing)) return true;
      this.#options.stamps.add(place.realPath, listing.stats);
      // skills/ is a level of its own: its directories count as those of the root.
      if (isConvention) return await this.#searchContainer(place, entries, level);
      const holdsSkills =
        level < this.#options.depth && (await this.#searchContainer(place, entries, level + 1));
      if (!holdsSkills && !entries.some(isMiscased))
        this.#report(place.path, 'no-skill-md', `no ${SKILL_MD}`);
      return holdsSkills;
    } catch (error) {
      this.#options.stamps.look(place.realPath);
      this.#report(place.path, 'unreadable-skill-md', describeErrno(error));
      return false;
    }
  }

  /** True when the directory has a SKILL.md, whatever becomes of it: nothing below it is searched then. */
  #takeSkill({ path, realPath, viaLink }: Place, listing: SearchedListing): boolean {
    const { entries } = listing;
    const isSkill = entries.some(({ name }) => name === SKILL_MD);
    const miscased = entries.find(isMiscased);
    if (miscased !== undefined) {
      const detail = isSkill ? `beside ${SKILL_MD}; it is not read` : `expected ${SKILL_MD}`;
      this.#report(path, 'no-skill-md', `found ${miscased.name}, ${detail}`);
    }
    if (!isSkill) return false;
    const name = toSkillName(basename(path));
    if (name === undefined) {
      const detail = `"${basename(path)}" cannot name a skill: letters, digits, . _ - and at most 64 characters`;
      this.refused.push(realPath);
      this.#options.stamps.add(realPath, listing.stats);
      this.#report(path, 'unusable-name', detail);
    } else {
      const fresh = listing.isFresh ? { listing } : {};
      this.candidates.push({ name, path, directory: realPath, source: this.#root, viaLink, ...fresh });
    }
    return true;
  }

  async #followInside(container: Place, path: string): Promise<Place | undefined> {
    this.#options.stamps.look(path);
    const found = await followLink(path);
    if ('broken' in found) {
      this.#report(path, 'symlink-escape', found.broken);
      return undefined;
    }
    if (found.kind !== 'directory') return undefined;
    const { realPath, target } = found;
    if (!this.#options.realRoots.some((root) => isInside(root, realPath))) {
      this.#report(path, 'symlink-escape', `symlink out of every root -> ${target}; it is not served`);
      return undefined;
    }
    if (isInside(realPath, container.realPath)) {
      this.#report(path, 'not-scanned', `symlink to a directory that holds it -> ${target}`);
      return undefined;
    }
    return { path, realPath, viaLink: true };
  }

  async #reportPointer(container: Place, name: string): Promise<false> {
    const target = await readPointer(container.realPath, name);
    if (target !== undefined) {
      this.#options.stamps.look(join(container.realPath, name));
      const detail = `not a directory: a symlink checked out as text? It holds ${JSON.stringify(target)}`;
      this.#report(join(container.path, name), 'no-skill-md', detail);
    }
    return false;
  }

  #isConvention(path: string): boolean {
    return path === join(this.#root, CONTAINER);
  }

  #report(path: string, reason: ProblemReason, detail: string): void {
    this.problems.push(makeProblem(path, reason, detail));
  }
}

function isMiscased({ name }: DirectoryEntry): boolean {
  return name !== SKILL_MD && isSkillMdName(name);
}
