import { sep } from 'node:path';

/** Longest path inside a skill, characters. */
export const MAX_PATH_LENGTH = 1_024;

// Work of tools, not of authors: installed packages and caches may hold ten thousand files.
const NEVER_WALKED: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

/** True for a name that is neither listed, walked nor served: dot files (`.git`, `.venv`, `._x`) and caches. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || NEVER_WALKED.has(name);
}

/**
 * The rule that a path inside a skill breaks, as a phrase; undefined when it is addressable. Judges the string
 * alone: where it leads is decided after it was opened.
 */
export function brokenPathRule(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.length > MAX_PATH_LENGTH) return `it is too long (at most ${MAX_PATH_LENGTH} characters)`;
  if (!path.isWellFormed()) return 'it is not well-formed Unicode';
  if (path.includes('\0')) return 'it holds a NUL';
  if (/\p{Cc}/u.test(path)) return 'it holds a control character';
  if (path.startsWith('/')) return 'it is absolute; write it relative to the skill';
  if (/^[A-Za-z]:/.test(path)) return 'it begins with a drive letter';
  if (path.includes('\\')) return 'it holds a backslash; separate segments by /';
  if (path.includes('%')) return 'it holds a percent sign; nothing is percent-decoded';
  return brokenSegmentRule(path.split('/'));
}

function brokenSegmentRule(segments: readonly string[]): string | undefined {
  if (segments.includes('')) return 'it has an empty segment';
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'it has a . or .. segment';
  const hidden = segments.find(isHiddenName);
  if (hidden === undefined) return undefined;
  return hidden.startsWith('.') ? 'dot files are not served' : `nothing below ${hidden} is served`;
}

/** True when a real path is a real directory or lies below it; both absolute, links already followed. */
export function isInside(directory: string, path: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
