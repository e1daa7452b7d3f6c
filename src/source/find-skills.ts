import { realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { describeErrno } from '../errors/errno.js';
import type { Candidate } from '../skill/candidate.js';
import { followLink } from '../skill/follow-link.js';
import { type DirectoryEntry, listDirectory } from '../skill/list-directory.js';
import { makeProblem } from '../skill/make-problem.js';
import type { Problem, ProblemReason } from '../skill/problem.js';
import { isHiddenName, isInside } from '../skill/safe-path.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { toSkillName } from '../skill/skill-name.js';

/** Directory levels below a path that are looked at. */
export const MAX_DEPTH = 6;

/** Names that one scan of a source looks at. */
const MAX_ENTRIES = 20_000;

/** Where a source's skills lie. */
export interface SourceTree {
  /** Id of the source. */
  readonly id: string;
  /** Absolute. */
  readonly base: string;
  /** Relative to the base, with `/`; `.` is the base itself. */
  readonly paths: readonly string[];
  /** A link directly below the base may lead anywhere: only the owner of the machine can have put it there. */
  readonly trusted: boolean;
}

/** What lies in a tree, best first and each name once. */
export interface FoundSkills {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly Problem[];
}

/** Finds the directories of a source that hold a SKILL.md; reads none. Never rejects. */
export async function findSkills(tree: SourceTree): Promise<FoundSkills> {
  const walk = new TreeWalk(tree);
  await walk.run();
  const { candidates, problems } = preferOriginals(tree, walk.candidates);
  return { candidates, problems: [...walk.problems, ...problems] };
}

interface Place {
  readonly path: string;
  readonly realPath: string;
  /** Real directory that links below here must not leave. */
  readonly limit: string;
  readonly level: number;
  readonly viaLink: boolean;
}

class TreeWalk {
  readonly candidates: Candidate[] = [];
  readonly problems: Problem[] = [];
  readonly #tree: SourceTree;
  /** Real directories that were looked at: a circle of links and overlapping paths end here. */
  readonly #seen = new Set<string>();
  #entries = 0;

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  async run(): Promise<void> {
    const { base, paths } = this.#tree;
    let realBase: string;
    try {
      realBase = await realpath(base);
    } catch (error) {
      this.#report(base, 'source', describeErrno(error));
      return;
    }
    const queue: Place[] = [];
    for (const path of paths) {
      const start = await this.#start(path, realBase);
      if (start !== undefined) queue.push(start);
    }
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      const below = await this.#visit(place);
      if (below === undefined) return;
      queue.push(...below);
    }
  }

  async #start(path: string, realBase: string): Promise<Place | undefined> {
    const start = path === '.' ? this.#tree.base : join(this.#tree.base, path);
    try {
      const realPath = await realpath(start);
      if (isInside(realBase, realPath)) {
        return { path: start, realPath, limit: realBase, level: 0, viaLink: false };
      }
      this.#report(start, 'symlink-escape', 'the path leads out of its source');
    } catch (error) {
      this.#report(start, 'source', `the path ${JSON.stringify(path)}: ${describeErrno(error)}`);
    }
    return undefined;
  }

  /** The directories below that are still to be looked at; undefined when the scan is over. */
  async #visit(place: Place): Promise<Place[] | undefined> {
    if (this.#seen.has(place.realPath)) return [];
    this.#seen.add(place.realPath);
    let entries: readonly DirectoryEntry[];
    try {
      const left = MAX_ENTRIES - this.#entries;
      const listing = await listDirectory(place.realPath, left);
      entries = listing.entries;
      this.#entries += entries.length;
      if (listing.cut) {
        this.#report(place.path, 'file-limit', `more than ${MAX_ENTRIES} entries; the rest is not looked at`);
        this.#take(place, entries);
        return undefined;
      }
    } catch (error) {
      this.#report(place.path, 'source', describeErrno(error));
      return [];
    }
    if (this.#take(place, entries)) return [];
    const directories = entries.filter(({ name, kind }) => !isHiddenName(name) && kind !== 'special');
    const below: Place[] = [];
    for (const entry of directories) {
      const next = await this.#enter(place, entry);
      if (next !== undefined) below.push(next);
    }
    if (below.length === 0 || place.level < MAX_DEPTH) return below;
    this.#report(place.path, 'not-scanned', `deeper than ${MAX_DEPTH} levels; it is not looked at`);
    return [];
  }

  async #enter(place: Place, { name, kind, addressable }: DirectoryEntry): Promise<Place | undefined> {
    const path = join(place.path, name);
    const level = place.level + 1;
    if (kind === 'file') return undefined;
    if (!addressable) return this.#report(path, 'unusable-path', 'the name is not valid UTF-8');
    if (kind === 'directory') return { ...place, path, realPath: join(place.realPath, name), level };
    const found = await followLink(path);
    if ('broken' in found) return this.#report(path, 'symlink-escape', found.broken);
    if (found.kind !== 'directory') return undefined;
    if (isInside(place.limit, found.realPath)) {
      return { path, realPath: found.realPath, limit: place.limit, level, viaLink: true };
    }
    if (this.#tree.trusted && place.level === 0 && place.path === this.#tree.base) {
      return { path, realPath: found.realPath, limit: found.realPath, level, viaLink: true };
    }
    return this.#report(
      path,
      'symlink-escape',
      `symlink out of its source -> ${found.target}; it is not served`,
    );
  }

  /** True when the directory has a SKILL.md: nothing below it is looked at then. */
  #take(place: Place, entries: readonly DirectoryEntry[]): boolean {
    if (!entries.some(({ name }) => name === SKILL_MD)) return false;
    const name = toSkillName(basename(place.path));
    if (name === undefined) {
      const detail = `"${basename(place.path)}" cannot name a skill: letters, digits, . _ - and at most 64 characters`;
      this.#report(place.path, 'unusable-name', detail);
    } else {
      const { path, realPath: directory, viaLink } = place;
      this.candidates.push({ name, path, directory, source: this.#tree.id, viaLink });
    }
    return true;
  }

  #report(path: string, reason: ProblemReason, detail: string): undefined {
    this.problems.push(makeProblem(path, reason, detail));
    return undefined;
  }
}

/** Directories that hold copies of other people's skills. */
const COPIES: ReadonlySet<string> = new Set(['upstream', 'plugins']);

/** Each name once: the original before copies, then the shallower, then by path. */
function preferOriginals(tree: SourceTree, candidates: readonly Candidate[]): FoundSkills {
  const segments = ({ path }: Candidate) => relative(tree.base, path).split(sep);
  const isCopy = (candidate: Candidate) =>
    segments(candidate)
      .slice(0, -1)
      .some((part) => COPIES.has(part));
  const sorted = candidates.toSorted(
    (a, b) =>
      Number(isCopy(a)) - Number(isCopy(b)) ||
      segments(a).length - segments(b).length ||
      (a.path < b.path ? -1 : 1),
  );
  const byName = new Map<string, Candidate>();
  const problems: Problem[] = [];
  for (const candidate of sorted) {
    const kept = byName.get(candidate.name);
    if (kept === undefined) byName.set(candidate.name, candidate);
    else
      problems.push(
        makeProblem(candidate.path, 'shadowed', `"${candidate.name}" is served from ${kept.path}`),
      );
  }
  return { candidates: [...byName.values()], problems };
}
