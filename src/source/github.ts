import { join } from 'node:path';
import type { GithubSpec } from '../config/source-spec.js';
import { Refusal } from '../errors/refusal.js';
import { checkOut } from './checkout.js';
import { describeSync } from './describe-sync.js';
import { findSkills } from './find-skills.js';
import type { Generation, GenerationRecord, Generations } from './generations.js';
import type { Git } from './git.js';
import { resolveTarget, type Target } from './resolve-ref.js';
import type { SyncOutcome } from './source.js';
import { trimSkills } from './trim-skills.js';

/** What the sync of a repository works with. Only for who holds the source's lock. */
export interface GithubSync {
  readonly spec: GithubSpec;
  readonly git: Git;
  readonly generations: Generations;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly step: (what: string) => void;
}

/** Brings the disk to where the repository stands. Throws a Refusal; what was there before then stays. */
export async function syncGithub(sync: GithubSync): Promise<SyncOutcome> {
  const { spec, git, generations, step } = sync;
  const { name, tree } = await generations.begin();
  try {
    const current = await generations.current();
    step('asking');
    const target = await resolveTarget(git, tree, spec);
    if (current !== undefined && isSame(current.record, spec, target)) {
      return describeSync(spec.id, 'unchanged', current.record);
    }
    step(`fetching ${target.sha.slice(0, 12)}`);
    const record = await fetchTree(sync, target, tree, current);
    await generations.publish(name, record);
    return describeSync(spec.id, 'synced', record, current?.record);
  } finally {
    // Takes the generation that was begun, unless it counts by now.
    await generations.sweep();
  }
}

/** True when a generation is of the same repository, so that it may be served for the source. */
export function belongsTo(record: GenerationRecord, spec: GithubSpec): boolean {
  return record.kind === 'github' && record.repo?.toLowerCase() === spec.repo.toLowerCase();
}

/** True when a generation was made for what the source asks for now. */
export function isAsked(record: GenerationRecord, spec: GithubSpec): boolean {
  const isPinned = spec.sha === undefined || spec.sha === record.sha;
  return belongsTo(record, spec) && isPinned && spec.paths.join('\0') === record.paths.join('\0');
}

function isSame(record: GenerationRecord, spec: GithubSpec, target: Target): boolean {
  return isAsked(record, spec) && record.sha === target.sha;
}

async function fetchTree(
  { spec, git, now }: GithubSync,
  target: Target,
  tree: string,
  current: Generation | undefined,
): Promise<GenerationRecord> {
  // The base bears the repository's name: a repository that is one skill is called so.
  const baseName = spec.repo.split('/')[1] ?? spec.id;
  const base = join(tree, baseName);
  const { sha, paths, warnings } = await checkOut(git, spec, target, base);
  const hadSkills = current !== undefined && isAsked({ ...current.record, sha }, { ...spec, sha });
  // A path that was there before has been removed by its author; one that never was is a mistake.
  if (paths.length === 0 && !hadSkills) throw new Refusal(warnings[0] ?? 'no path of the source exists');
  const { candidates } = await findSkills({ id: spec.id, base, paths, trusted: false });
  const cuts = await trimSkills(candidates, base);
  return {
    kind: 'github',
    repo: spec.repo,
    ...(spec.ref !== undefined && { ref: spec.ref }),
    sha,
    paths: spec.paths,
    base: baseName,
    at: new Date(now()).toISOString(),
    skills: candidates.map((candidate) => candidate.name).sort(),
    warnings: [...warnings, ...cuts],
  };
}
