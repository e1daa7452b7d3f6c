/** One skill as a ranker sees it. The order of the documents is their rank among equals. */
export interface SearchDocument {
  readonly id: string;
  /** The author's name for it, where it differs from the id. */
  readonly name: string;
  readonly description: string;
  /** The beginning of the instructions. */
  readonly body: string;
}

/** One skill that shares something with a request. */
export interface Ranked {
  readonly id: string;
  /** Comparable within one answer only; finite and above zero. */
  readonly score: number;
  /** The request's own words that this skill holds, rarest first. */
  readonly matched: readonly string[];
}

/** Orders skills by their likeness to a request. Rankers of different kinds can be blended by score. */
export interface Ranker {
  /** The best `k`, best first; without a searchable word in the task, none. */
  rank(task: string, k: number): readonly Ranked[];
}
