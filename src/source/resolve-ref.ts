import type { GithubSpec } from '../config/source-spec.js';
import { Refusal } from '../errors/refusal.js';
import type { Git } from './git.js';

/** What is to be fetched. */
export interface Target {
  /** Commit id as the remote says it; for a pinned source the pin. */
  readonly sha: string;
  /** Full name of the ref to ask for; undefined: ask for the commit itself. */
  readonly ref: string | undefined;
}

/** Where a repository is fetched from. The user's own configuration may lead it to a mirror. */
export function makeRemoteUrl(repo: string): string {
  return `https://github.com/${repo}.git`;
}

/** Asks the remote where the source stands now; a pin needs no question. Throws a Refusal when there is no such ref. */
export async function resolveTarget(git: Git, cwd: string, spec: GithubSpec): Promise<Target> {
  if (spec.sha !== undefined) return { sha: spec.sha, ref: undefined };
  const names = spec.ref === undefined ? ['HEAD'] : fullNames(spec.ref);
  // Peeled lines give the commit behind an annotated tag.
  const patterns = spec.ref === undefined ? names : names.flatMap((name) => [name, `${name}^{}`]);
  const url = makeRemoteUrl(spec.repo);
  const answer = await git.run(cwd, ['ls-remote', '--symref', '--', url, ...patterns]);
  const { ids, branchOfHead } = parseAnswer(answer);
  for (const name of names) {
    const sha = ids.get(`${name}^{}`) ?? ids.get(name);
    if (sha !== undefined) return { sha, ref: name === 'HEAD' ? (branchOfHead ?? name) : name };
  }
  throw spec.ref === undefined
    ? new Refusal(`${spec.repo} has no default branch: it is empty or its HEAD leads nowhere`, {
        hint: 'name a branch or tag as ref',
      })
    : new Refusal(`there is no branch or tag ${JSON.stringify(spec.ref)} in ${spec.repo}`);
}

function fullNames(ref: string): string[] {
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}

/** A pattern matches the ends of names, so that a branch called HEAD answers too: only whole names count. */
function parseAnswer(answer: string): { ids: Map<string, string>; branchOfHead: string | undefined } {
  const ids = new Map<string, string>();
  let branchOfHead: string | undefined;
  for (const line of answer.split('\n')) {
    const [left = '', name] = line.split('\t');
    if (name === undefined) continue;
    const symbolic = /^ref: (refs\/heads\/\S+)$/.exec(left)?.[1];
    if (symbolic === undefined) ids.set(name, left);
    else if (name === 'HEAD') branchOfHead = symbolic;
  }
  return { ids, branchOfHead };
}
