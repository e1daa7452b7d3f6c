import { join, relative } from 'node:path';
import { type DirectoryEntry, listDirectory } from './list-directory.js';
import { isHiddenName } from './safe-path.js';
import { SKILL_MD } from './skill-md.js';

/** Bounds of the look below what is scanned: a root may be a home directory. */
const MAX_LEVELS = 8;
const MAX_DIRECTORIES = 20_000;
const MAX_NAMES = 10_000;

/** Directories with a SKILL.md that the scan did not reach. */
export interface DeeperSkills {
  readonly count: number;
  /** Path of the first one, relative to the root. */
  readonly first: string | undefined;
  /** A bound was reached: there may be more. */
  readonly isCut: boolean;
}

/**
 * Counts what lies below a real root and is not in `known` (real directories). Links are not followed; never rejects.
 * `isClosed` says of a known directory that all below it is known too.
 */
export async function lookDeeper(
  realRoot: string,
  known: ReadonlySet<string>,
  options: { isClosed: (directory: string) => boolean; isStopped: () => boolean },
): Promise<DeeperSkills> {
  const pending = [{ path: realRoot, level: 0 }];
  const found: string[] = [];
  let isCut = false;
  // An index instead of shift(): taking from the front of a long array copies it.
  for (let next = 0; next < pending.length && !options.isStopped(); next++) {
    const place = pending[next];
    if (place === undefined || options.isClosed(place.path)) continue;
    if (next >= MAX_DIRECTORIES) return { count: found.length, first: found[0], isCut: true };
    const entries = await listQuietly(place.path);
    if (!known.has(place.path) && entries.some(({ name }) => name === SKILL_MD)) {
      found.push(relative(realRoot, place.path));
    }
    const below = entries.filter(({ kind, name }) => kind === 'directory' && !isHiddenName(name));
    if (place.level === MAX_LEVELS) isCut ||= below.length > 0;
    else pending.push(...below.map(({ name }) => ({ path: join(place.path, name), level: place.level + 1 })));
  }
  return { count: found.length, first: found[0], isCut };
}

async function listQuietly(path: string): Promise<readonly DirectoryEntry[]> {
  try {
    const { entries } = await listDirectory(path, MAX_NAMES);
    return entries.filter(({ addressable }) => addressable);
  } catch {
    return []; // what the scan could not read it has reported; here nothing is promised
  }
}
