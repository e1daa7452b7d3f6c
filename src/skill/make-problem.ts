import { escapeInvisible, toOneLine } from '../errors/sanitize.js';
import type { Problem, ProblemReason } from './problem.js';

// A detail is read by people and models; what is longer is a list that nobody reads to its end.
const MAX_DETAIL = 500;

/** A Problem whose path and detail are safe to show on one line, whatever the names in them hold. */
export function makeProblem(path: string, reason: ProblemReason, detail: string): Problem {
  return { path: escapeInvisible(path), reason, detail: toOneLine(escapeInvisible(detail), MAX_DETAIL) };
}
