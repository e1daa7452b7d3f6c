import type { DirectoryListing } from './list-directory.js';

/** A directory with a SKILL.md, found but not read yet. */
export interface Candidate {
  /** Name that it is served under: its directory's, or that of the link by which alone it was reached. */
  readonly name: string;
  /** Absolute path by which it was reached. */
  readonly path: string;
  /** Absolute real directory. */
  readonly directory: string;
  /** The configured root, as configured. */
  readonly source: string;
  readonly viaLink: boolean;
  /** All its names, when they were read just now; whoever keeps a candidate drops them. */
  readonly listing?: DirectoryListing;
}
