import type { FindConfig } from '../config/find-config.js';
import type { MergedCatalog } from './merge.js';

/** What the find tools answer from: one catalog and one config that belong together. */
export interface FindView {
  readonly catalog: MergedCatalog;
  /** Of the file as it is now, or of its last whole version. */
  readonly config: FindConfig;
  /** Why config or sources are not as they should be, one sanitised line; undefined when all is well. */
  readonly fault?: string;
}

/** Hands out the newest view: a changed config or source counts from the next call on. Never rejects. */
export type ReadFindView = () => Promise<FindView>;
