import { realpath } from 'node:fs/promises';
import type { Settings } from '../config/settings.js';
import type { Candidate } from '../skill/candidate.js';
import { type Discovery, discoverRoot } from '../skill/discover.js';
import { makeProblem } from '../skill/make-problem.js';
import { mapBounded } from '../skill/map-bounded.js';
import type { Problem } from '../skill/problem.js';
import { readSkill } from '../skill/read-skill.js';
import type { ReadSkill, Skill } from '../skill/skill.js';
import { claimNames } from './claim-names.js';
import { Turns } from './turns.js';

/** What of the settings a scan depends on. */
export type ScanSettings = Pick<Settings, 'roots' | 'strictYaml' | 'depth' | 'maxSkills'>;

/** One finished scan, and what is needed to look deeper than it went. */
export interface Scan {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly discoveries: readonly RootDiscovery[];
}

/** What was found below one configured root. */
export interface RootDiscovery extends Discovery {
  readonly root: string;
}

// Reading one skill is a dozen small calls into libuv's four threads; this many keep them busy.
const PARALLEL = 12;

/** Scans all roots. Never rejects: whatever is wrong is a problem. `isStopped` ends it early, with less. */
export async function scanRoots(settings: ScanSettings, isStopped: () => boolean): Promise<Scan> {
  const { roots, depth, maxSkills, strictYaml } = settings;
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const discoveries: RootDiscovery[] = [];
  for (const root of roots) {
    const found = await discoverRoot(root, { realRoots, depth, maxSkills, isStopped });
    discoveries.push({ ...found, root });
  }
  const problems = discoveries.flatMap((discovery) => discovery.problems);
  const claims = claimNames(discoveries.flatMap((discovery) => discovery.candidates));
  problems.push(...claims.problems);
  const accepted = limitSkills(claims.accepted, maxSkills, problems);
  const turns = new Turns();
  const options = { strict: strictYaml, turn: () => turns.take() };
  const read = await mapBounded(accepted, PARALLEL, async (candidate): Promise<ReadSkill> => {
    if (isStopped()) return { problems: [] };
    // One skill must never cost the listing, not even by a mistake of ours.
    return readSkill(candidate, options).catch((error: unknown) => ({
      problems: [describeMistake(candidate, error)],
    }));
  });
  const skills = read.flatMap(({ skill }) => (skill === undefined ? [] : [skill]));
  for (const { problems: found } of read) problems.push(...found);
  return { skills, problems, discoveries };
}

function describeMistake({ path }: Candidate, error: unknown): Problem {
  const kind = error instanceof Error ? error.name : 'error';
  return makeProblem(path, 'unreadable-skill-md', `could not be read (unexpected ${kind})`);
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
