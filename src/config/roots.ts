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
  const { chosen, passedOver } = chooseRoots(start);
  const roots = new Map<string, string>();
  const problems = passedOver.flatMap(reportUnusable);
  for (const text of chosen.written) {
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
  return { roots: [...roots.values()], rootsFrom: chosen.from, problems };
}

/** The parts of one place where roots can be named. */
interface Named {
  readonly from: Settings['rootsFrom'];
  readonly written: readonly string[];
  /** Left out, since a client was to put something in their place and did not. */
  readonly unusable: readonly string[];
}

function chooseRoots({ variables, arguments: commandLine, packageSkills }: StartInput): {
  chosen: Pick<Named, 'from' | 'written'>;
  passedOver: readonly Named[];
} {
  const places = [
    sort('MCP_SKILLS_PATH', splitPath(variables.MCP_SKILLS_PATH)),
    sort('arguments', commandLine.roots),
    sort('SKILLS_DIR', splitPath(variables.SKILLS_DIR)),
  ];
  const index = places.findIndex(({ written }) => written.length > 0);
  const chosen = places[index] ?? { from: 'default' as const, written: [packageSkills] };
  // What is below the chosen place would not have counted anyway.
  return { chosen, passedOver: index === -1 ? places : places.slice(0, index + 1) };
}

function sort(from: Settings['rootsFrom'], parts: readonly string[]): Named {
  const texts = parts.map((part) => part.trim());
  return {
    from,
    written: texts.filter((text) => text !== '' && !PLACEHOLDER.test(text)),
    unusable: texts.filter((text, index) => PLACEHOLDER.test(text) || isBlankArgument(from, parts[index])),
  };
}

/** A blank part of a list is nothing; a `--root` without a directory was meant to be one. */
function isBlankArgument(from: Settings['rootsFrom'], part: string | undefined): boolean {
  return from === 'arguments' && part?.trim() === '';
}

/** What a client should have replaced, such as `${workspaceFolder}`. */
const PLACEHOLDER = /\$\{[^{}]*\}/;

// A placeholder may hold the delimiter itself, as in `${A:-b}`.
const PART = new RegExp(`(?:\\$\\{[^{}]*\\}|[^${delimiter}])+`, 'g');

function splitPath(value: string | undefined): string[] {
  const parts = value?.match(PART) ?? [];
  // A client that hands on a variable which nobody set: as good as unset, and nothing to report.
  const isNothing = parts.every((part) => part.replace(new RegExp(PLACEHOLDER, 'g'), '').trim() === '');
  return isNothing ? [] : parts;
}

function reportUnusable({ from, unusable }: Named): Settings['problems'][number][] {
  const path = from === 'arguments' ? '--root' : from;
  return unusable.map((text) => ({
    path,
    reason: 'root-unreadable',
    detail:
      text === ''
        ? 'names no directory; it is left out'
        : escapeInvisible(`${text} was not replaced by the client that starts this server; it is left out`),
  }));
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
