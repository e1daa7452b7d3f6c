import { UNKNOWN_KEYS } from '../../skill/frontmatter.js';
import type { Problem, ProblemReason } from '../../skill/problem.js';
import { SKILL_MD } from '../../skill/skill-md-name.js';

/** One line of a lint. */
export interface LintFinding {
  /** Absolute. */
  readonly path: string;
  /** Counted from 1; absent for what is no place in a file. */
  readonly line?: number;
  readonly column?: number;
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  readonly message: string;
}

/** Reasons that only ever say that something is left out or looks odd. */
const WARNINGS: ReadonlySet<ProblemReason> = new Set<ProblemReason>([
  'unusable-path',
  'file-limit',
  'skill-limit',
  'not-scanned',
]);

/** The field that a reason without a place of its own is about. */
const FIELD_OF: Partial<Record<ProblemReason, string>> = {
  'name-mismatch': 'name',
  description: 'description',
  declaration: 'mcp-host',
};

// Our own sentences: "… at 3:14", "quote the value at 3:14, 5:2".
const PLACE = /\bat (\d+):(\d+)/;

/** Makes a finding of what discovery reports; undefined for what the specification's rules say better. */
export function judgeProblem(
  { path, reason, detail }: Problem,
  places: ReadonlyMap<string, string> | undefined,
  roots: ReadonlySet<string>,
): LintFinding | undefined {
  if (reason === 'declaration' && detail.startsWith(UNKNOWN_KEYS)) return undefined;
  if (reason === 'description' && places !== undefined && detail.includes('over ')) return undefined;
  const isInFile = path.endsWith(SKILL_MD);
  const severity = isError(reason, detail, isInFile, roots.has(path)) ? 'error' : 'warning';
  const place = isInFile ? (PLACE.exec(detail)?.slice(1) ?? placeOf(reason, places)) : undefined;
  return { path, ...readPlace(place), severity, rule: reason, message: detail };
}

/** Line and column of `line:column`, as fields of a finding. */
export function readPlace(place: readonly string[] | undefined): { line?: number; column?: number } {
  return place === undefined ? {} : { line: Number(place[0]), column: Number(place[1]) };
}

function placeOf(reason: ProblemReason, places: ReadonlyMap<string, string> | undefined): string[] {
  return (places?.get(FIELD_OF[reason] ?? '') ?? '1:1').split(':');
}

function isError(reason: ProblemReason, detail: string, isInFile: boolean, isRoot: boolean): boolean {
  // A folder without a skill may well stand beside skills; one that was named, or a misspelt file, may not.
  if (reason === 'no-skill-md') return isRoot || /^found .*expected/.test(detail);
  // A second name by a link is an oddity of the folder, not of the skill.
  if (reason === 'name-mismatch') return isInFile;
  return !WARNINGS.has(reason);
}
