import type { Candidate } from '../skill/candidate.js';
import { makeProblem } from '../skill/make-problem.js';
import type { Problem } from '../skill/problem.js';

/** The directories that are served, each under a name of its own. */
export interface Claims {
  readonly accepted: readonly Candidate[];
  readonly problems: readonly Problem[];
}

/**
 * Makes each real directory one candidate and each name one directory. Two directories of one name are both refused:
 * a grant names a skill, so scan order must never decide whose script it means.
 */
export function claimNames(candidates: readonly Candidate[]): Claims {
  const problems: Problem[] = [];
  const byName = new Map<string, Candidate[]>();
  for (const candidate of uniteDirectories(candidates, problems)) {
    const claimants = byName.get(candidate.name);
    if (claimants === undefined) byName.set(candidate.name, [candidate]);
    else claimants.push(candidate);
  }
  const accepted: Candidate[] = [];
  for (const [name, claimants] of byName) {
    const [first] = claimants;
    if (first === undefined) continue;
    if (claimants.length === 1) accepted.push(first);
    else problems.push(reportDuplicate(name, first, claimants));
  }
  return { accepted, problems };
}

/** One candidate a real directory; the directory itself goes before links to it, then the order of the roots. */
function uniteDirectories(candidates: readonly Candidate[], problems: Problem[]): Iterable<Candidate> {
  const byDirectory = new Map<string, Candidate>();
  const directFirst = candidates.toSorted((a, b) => Number(a.viaLink) - Number(b.viaLink));
  for (const candidate of directFirst) {
    const kept = byDirectory.get(candidate.directory);
    if (kept === undefined) byDirectory.set(candidate.directory, candidate);
    else if (kept.name !== candidate.name) {
      const detail = `another name for ${kept.path}, which is served as "${kept.name}"`;
      problems.push(makeProblem(candidate.path, 'name-mismatch', detail));
    }
  }
  return byDirectory.values();
}

function reportDuplicate(name: string, first: Candidate, claimants: readonly Candidate[]): Problem {
  const paths = claimants.map(({ path }) => path).join(' and ');
  return makeProblem(
    first.path,
    'duplicate-name',
    `"${name}" is claimed by ${paths}; none of them is served`,
  );
}
