/** The documented, additive list of reasons why something is not served, or not as its author meant it. */
export const PROBLEM_REASONS = [
  'root-unreadable',
  'no-skill-md',
  'unreadable-skill-md',
  'malformed-frontmatter',
  'declaration',
  'duplicate-name',
  'name-mismatch',
  'unusable-name',
  'declared-script-missing',
  'symlink-escape',
  'unusable-path',
  'file-limit',
  'skill-limit',
  'not-scanned',
  'grant',
  'shadowed',
  'description',
  'extension-unpublished',
  'environ-unscrubbed',
  'registry',
  'config',
  'source',
] as const;

export type ProblemReason = (typeof PROBLEM_REASONS)[number];

/** Anything that keeps a directory, file, key or script from being served. Nothing is dropped in silence. */
export interface Problem {
  /** Absolute path, or the name of the variable at fault. */
  readonly path: string;
  readonly reason: ProblemReason;
  /** One sanitised line; positions are line:column counted from line 1 of the file, in characters. */
  readonly detail: string;
}
