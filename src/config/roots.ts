import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { escapeInvisible } from '../errors/sanitize.js';
import type { Settings } from './settings.js';
import type { StartInput } from './start-input.js';

/** The directories to serve, where they were named, and the ones that name no directory. */
export interface Roots {
  readonly roots: readonly string[];
  readonly rootsFrom: Settings['rootsFrom'];
  readonly problems: Settings['problems'];
}

/** Chooses the roots: MCP_SKILLS_PATH, else --root, else SKILLS_DIR, else the package's own skills. */
export function readRoots(start: StartInput): Roots {
  const { rootsFrom, written } = chooseRoots(start);
  const roots = new Map<string, string>();
  const problems: Settings['problems'][number][] = [];
  for (const text of written) {
    const path = expandHome(text, start.home);
    if (path === undefined) {
      const detail = `whose home directory ${text.split(/[\\/]/, 1)[0]} means is not known; write the whole path`;
      problems.push({
        path: escapeInvisible(text),
        reason: 'root-unreadable',
        detail: escapeInvisible(detail),
      });
      continue;
    }
    const absolute = resolve(start.cwd, path);
    const key = findRealPath(absolute);
    if (!roots.has(key)) roots.set(key, absolute);
  }
  return { roots: [...roots.values()], rootsFrom, problems };
}

function chooseRoots(start: StartInput): { rootsFrom: Settings['rootsFrom']; written: readonly string[] } {
  const { variables, arguments: commandLine, packageSkills } = start;
  const hosted = splitPath(variables.MCP_SKILLS_PATH);
  if (hosted.length > 0) return { rootsFrom: 'MCP_SKILLS_PATH', written: hosted };
  if (commandLine.roots.length > 0) return { rootsFrom: 'arguments', written: commandLine.roots };
  const local = splitPath(variables.SKILLS_DIR);
  if (local.length > 0) return { rootsFrom: 'SKILLS_DIR', written: local };
  return { rootsFrom: 'default', written: [packageSkills] };
}

/** The parts of a path list; none for a blank value and for one of nothing but unsubstituted placeholders. */
function splitPath(value: string | undefined): string[] {
  if (value === undefined) return [];
  const withoutPlaceholders = value.replace(/\$\{[^{}]*\}/g, '');
  if (withoutPlaceholders.split(delimiter).every((part) => part.trim() === '')) return [];
  return value
    .split(delimiter)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Undefined where `~` stands for somebody whom nobody named. */
function expandHome(path: string, home: string | undefined): string | undefined {
  if (!path.startsWith('~')) return path;
  const isOwn = path === '~' || path.startsWith('~/') || path.startsWith('~\\');
  if (!isOwn || home === undefined || home === '') return undefined;
  return join(home, path.slice(1));
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the scan says what is wrong with it
  }
}
