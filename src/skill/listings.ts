import { sep } from 'node:path';
import { type DirectoryListing, listDirectory } from './list-directory.js';
import { isSkillMdName, SKILL_MD } from './skill-md-name.js';
import { StampList } from './stamp-list.js';

/** A directory's names, and whether they were read from the disk just now. */
export interface SearchedListing extends DirectoryListing {
  readonly isFresh: boolean;
}

interface Kept {
  readonly listing: DirectoryListing;
  readonly stamps: StampList;
}

/** Directories as a search found them, handed out again for as long as they look the same. */
export class Listings {
  readonly #now: () => number;
  #kept = new Map<string, Kept>();
  #previous = new Map<string, Kept>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins a new search: what it does not visit is forgotten by the next one. */
  turnOver(): void {
    this.#previous = this.#kept;
    this.#kept = new Map();
  }

  /** The names of a real directory, of a skill's that has not changed only those that make it one. Rejects with the errno. */
  async list(directory: string, limit: number): Promise<SearchedListing> {
    const known = this.#kept.get(directory) ?? this.#previous.get(directory);
    if (known !== undefined && !known.stamps.isStale()) {
      this.#kept.set(directory, known);
      return { ...known.listing, isFresh: false };
    }
    const listing = await listDirectory(directory, limit);
    const stamps = new StampList(directory + sep, this.#now);
    stamps.add('', listing.stats);
    this.#kept.set(directory, { listing: reduce(listing), stamps });
    return { ...listing, isFresh: true };
  }
}

/** Nothing below a skill is searched: ten thousand bundles need not be remembered twice. */
function reduce(listing: DirectoryListing): DirectoryListing {
  if (!listing.entries.some(({ name }) => name === SKILL_MD)) return listing;
  return { ...listing, entries: listing.entries.filter(({ name }) => isSkillMdName(name)) };
}
