import type { Candidate } from '../skill/candidate.js';
import type { SkillReading } from '../skill/read-skill.js';

/** A directory that was read, and under what name and from where it was reached. */
export interface KeptReading {
  readonly candidate: Candidate;
  readonly reading: SkillReading;
}

/** Keeps a reading without the listing that it was made from. */
export function keepReading({ listing: _, ...candidate }: Candidate, reading: SkillReading): KeptReading {
  return { candidate, reading };
}

/** True when two searches reached a directory in the same way. */
export function isSameCandidate(a: Candidate, b: Candidate): boolean {
  return a.name === b.name && a.path === b.path && a.source === b.source && a.viaLink === b.viaLink;
}

/**
 * A reading with the skill and problems of an earlier one where nothing is different: a skill that did not change is
 * the same object for as long as it does not.
 */
export function reuseUnchanged(earlier: SkillReading, later: SkillReading): SkillReading {
  const isSame =
    earlier.digest === later.digest &&
    earlier.stamps.isSame(later.stamps) &&
    JSON.stringify([earlier.skill, earlier.problems]) === JSON.stringify([later.skill, later.problems]);
  if (!isSame || earlier.skill === undefined) return later;
  return { ...later, skill: earlier.skill, problems: earlier.problems };
}
