import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../config/settings.js';
import type { Candidate } from '../skill/candidate.js';
import { type Discovery, discoverRoot } from '../skill/discover.js';
import type { Listings } from '../skill/listings.js';
import { makeProblem } from '../skill/make-problem.js';
import { mapBounded } from '../skill/map-bounded.js';
import type { Problem } from '../skill/problem.js';
import { readSkill, type SkillReading } from '../skill/read-skill.js';
import type { Skill } from '../skill/skill.js';
import { SKILL_MD } from '../skill/skill-md-name.js';
import { StampList } from '../skill/stamp-list.js';
import { claimNames } from './claim-names.js';
import { isSameCandidate, type KeptReading, keepReading, reuseUnchanged } from './kept-reading.js';
import type { Turns } from './turns.js';

/** What of the settings a scan depends on. */
export type ScanSettings = Pick<Settings, 'roots' | 'strictYaml' | 'depth' | 'maxSkills'>;

/** One finished scan, what it rests on, and what is needed to look deeper than it went. */
export interface Scan {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly discoveries: readonly RootDiscovery[];
  /** Everything that decides which directories are skills. */
  readonly places: StampList;
  /** What was read. */
  readonly kept: readonly KeptReading[];
  /** The same by real directory. */
  readonly readings: ReadonlyMap<string, KeptReading>;
}

/** What was found below one configured root. */
export interface RootDiscovery extends Discovery {
  readonly root: string;
}

/** What a scan works with, and what it may take over from the one before. */
export interface ScanContext {
  readonly listings: Listings;
  readonly turns: Turns;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly isStopped: () => boolean;
  readonly previous?: Scan | undefined;
  /** Directories whose reading in `previous` does not stand any more. */
  readonly stale: ReadonlySet<string>;
  /** Called once for each skill that was read. */
  readonly onRead?: (() => void) | undefined;
}

// Reading one skill is half a dozen small calls into libuv's four threads; this many keep them busy.
const PARALLEL = 12;

/** Scans all roots. Never rejects: whatever is wrong is a problem. `isStopped` ends it early, with less. */
export async function scanRoots(settings: ScanSettings, context: ScanContext): Promise<Scan> {
  const { roots, depth, maxSkills } = settings;
  const { listings, now, isStopped } = context;
  listings.turnOver();
  const places = new StampList('', now);
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const discoveries: RootDiscovery[] = [];
  for (const root of roots) {
    const options = { realRoots, depth, maxSkills, isStopped, listings, stamps: places };
    discoveries.push({ ...(await discoverRoot(root, options)), root });
  }
  const problems = discoveries.flatMap((discovery) => discovery.problems);
  const candidates = discoveries.flatMap((discovery) => discovery.candidates);
  const claims = claimNames(candidates);
  problems.push(...claims.problems);
  const accepted = limitSkills(claims.accepted, maxSkills, problems);
  if (accepted.length < candidates.length) stampUnread(candidates, accepted, places);
  const kept = await mapBounded(accepted, PARALLEL, (candidate) =>
    readOrReuse(candidate, settings.strictYaml, context),
  );
  for (const { reading } of kept) problems.push(...reading.problems);
  return {
    skills: kept.flatMap(({ reading: { skill } }) => (skill === undefined ? [] : [skill])),
    problems,
    discoveries: discoveries.map(forgetListings),
    places,
    kept,
    readings: new Map(kept.map((reading) => [reading.candidate.directory, reading])),
  };
}

async function readOrReuse(
  candidate: Candidate,
  strict: boolean,
  { previous, stale, turns, now, isStopped, onRead }: ScanContext,
): Promise<KeptReading> {
  const known = previous?.readings.get(candidate.directory);
  const isKnown = known !== undefined && isSameCandidate(known.candidate, candidate);
  // A directory that had to be listed again looks different, whether its SKILL.md does or not.
  if (isKnown && candidate.listing === undefined && !stale.has(candidate.directory)) return known;
  if (isStopped()) return keepReading(candidate, describeNothing([], now));
  const options = { strict, turn: () => turns.take(), now };
  // One skill must never cost the listing, not even by a mistake of ours.
  const reading = await readSkill(candidate, options).catch((error: unknown) =>
    describeNothing([describeMistake(candidate, error)], now),
  );
  onRead?.();
  return keepReading(candidate, isKnown ? reuseUnchanged(known.reading, reading) : reading);
}

/** A reading that rests on nothing and is made anew by the next scan. */
function describeNothing(problems: readonly Problem[], now: () => number): SkillReading {
  const stamps = new StampList('', now);
  stamps.isSettled = false;
  return { problems, stamps, headLength: 0 };
}

function describeMistake({ path }: Candidate, error: unknown): Problem {
  const kind = error instanceof Error ? error.name : 'error';
  return makeProblem(path, 'unreadable-skill-md', `could not be read (unexpected ${kind})`);
}

/** Directories that are not read decide all the same: one of two with the same name may stop being a skill. */
function stampUnread(
  candidates: readonly Candidate[],
  accepted: readonly Candidate[],
  places: StampList,
): void {
  const read = new Set(accepted.map(({ directory }) => directory));
  for (const { directory } of candidates) {
    if (read.has(directory)) continue;
    read.add(directory);
    places.look(directory);
    places.look(join(directory, SKILL_MD));
  }
}

function forgetListings(discovery: RootDiscovery): RootDiscovery {
  return { ...discovery, candidates: discovery.candidates.map(({ listing: _, ...candidate }) => candidate) };
}

function limitSkills(
  accepted: readonly Candidate[],
  maxSkills: number,
  problems: Problem[],
): readonly Candidate[] {
  if (accepted.length <= maxSkills) return accepted;
  const sorted = accepted.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const [left] = sorted.slice(maxSkills);
  const detail = `${accepted.length - maxSkills} skills over the limit of ${maxSkills} are not served (SKILL_MCP_MAX_SKILLS)`;
  if (left !== undefined)
    problems.push(makeProblem(left.source, 'skill-limit', `${detail}; first: ${left.path}`));
  return sorted.slice(0, maxSkills);
}
