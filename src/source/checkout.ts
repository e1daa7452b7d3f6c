import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GithubSpec } from '../config/source-spec.js';
import { Refusal } from '../errors/refusal.js';
import { type Git, GitFailure } from './git.js';
import { makeRemoteUrl, type Target } from './resolve-ref.js';

/** Name of the ref that the fetched commit gets: no branch can be called so. */
const WANTED = 'refs/skill-mcp/wanted';

const MAX_NAMED_PATHS = 20;

/** What lies in the directory after a checkout. */
export interface Checkout {
  /** The commit. */
  readonly sha: string;
  /** Configured paths that exist in it. */
  readonly paths: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Fetches one commit and checks out the source's paths into `directory`, which is replaced; `.git` is gone at the
 * end. Throws a Refusal when the commit cannot be had.
 */
export async function checkOut(
  git: Git,
  spec: GithubSpec,
  target: Target,
  directory: string,
): Promise<Checkout> {
  let failure: unknown;
  for (const fetchArguments of waysToFetch(target)) {
    try {
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true });
      await git.run(directory, ['init', '--quiet', '--template=']);
      await ignoreAttributes(directory);
      await git.run(directory, ['remote', 'add', '--', 'origin', makeRemoteUrl(spec.repo)]);
      await git.run(directory, ['fetch', '--quiet', '--no-tags', ...fetchArguments]);
      const sha = await readCommit(git, spec, target, directory);
      const found = await inspectPaths(git, spec.paths, sha, directory);
      await populate(git, found.paths, sha, directory);
      await rm(join(directory, '.git'), { recursive: true, force: true, maxRetries: 2 });
      return { sha, ...found };
    } catch (error) {
      failure = error;
      if (!(error instanceof GitFailure) || error.isFinal) throw error;
    }
  }
  throw target.ref === undefined ? refusePin(spec, target, failure) : failure;
}

/** The bytes of the commit: no line ends are changed and no filter is asked for, whatever the repository wishes. */
async function ignoreAttributes(directory: string): Promise<void> {
  const info = join(directory, '.git', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(join(info, 'attributes'), '* -text -ident -filter -working-tree-encoding\n');
}

/** From the least to the most that a server has to give: not every one hands out single commits or leaves out blobs. */
function waysToFetch({ sha, ref }: Target): readonly (readonly string[])[] {
  const wanted = `+${ref ?? sha}:${WANTED}`;
  const shallow = ['--depth=1', '--', 'origin', wanted];
  const everything = ['--', 'origin', '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  const light = [['--filter=blob:none', ...shallow], shallow];
  return ref === undefined ? [...light, everything] : light;
}

function refusePin({ repo }: GithubSpec, { sha }: Target, failure: unknown): Refusal {
  const because = failure instanceof Refusal ? ` (${failure.message})` : '';
  return new Refusal(`commit ${sha} is not in the repository ${repo}${because}`);
}

async function readCommit(git: Git, spec: GithubSpec, target: Target, directory: string): Promise<string> {
  // A tag may lead to a commit; the id of a file or tree is fetched without complaint and is none.
  const name = target.ref === undefined ? target.sha : WANTED;
  if (target.ref === undefined) await git.run(directory, ['cat-file', '-e', target.sha]);
  try {
    const answer = await git.run(directory, [
      'rev-parse',
      '--quiet',
      '--verify',
      '--end-of-options',
      `${name}^{commit}`,
    ]);
    return answer.trim();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new Refusal(`${target.ref ?? target.sha} in ${spec.repo} is not a commit`);
  }
}

interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly path: string;
}

async function inspectPaths(
  git: Git,
  paths: readonly string[],
  sha: string,
  directory: string,
): Promise<Pick<Checkout, 'paths' | 'warnings'>> {
  const list = async (flags: readonly string[], below: readonly string[]) =>
    parseTree(
      await git.run(directory, [
        '--literal-pathspecs',
        'ls-tree',
        ...flags,
        '-z',
        '--full-tree',
        sha,
        '--',
        ...below,
      ]),
    );
  const named = paths.filter((path) => path !== '.');
  const entries = named.length === 0 ? [] : await list([], named);
  const types = new Map(entries.map(({ path, type }) => [path, type]));
  const warnings: string[] = [];
  const present = paths.filter((path) => {
    const type = path === '.' ? 'tree' : types.get(path);
    if (type === 'tree') return true;
    const name = JSON.stringify(path);
    if (type === undefined) warnings.push(`the path ${name} does not exist in ${sha.slice(0, 12)}`);
    else if (type === 'blob') warnings.push(`the path ${name} is a file, not a directory`);
    else warnings.push(`the path ${name} is a submodule, which is not fetched`);
    return false;
  });
  if (present.length === 0) return { paths: present, warnings };
  const everywhere = present.includes('.') ? [] : present;
  const submodules = (await list(['-r'], everywhere)).filter(({ mode }) => mode === '160000');
  for (const { path } of submodules.slice(0, MAX_NAMED_PATHS)) {
    warnings.push(`the submodule ${JSON.stringify(path)} is not fetched`);
  }
  if (submodules.length > MAX_NAMED_PATHS) {
    warnings.push(`${submodules.length - MAX_NAMED_PATHS} more submodules are not fetched`);
  }
  return { paths: present, warnings };
}

function parseTree(text: string): TreeEntry[] {
  return text
    .split('\0')
    .map((line) => /^(\d{6}) (\w+) [0-9a-f]+\t(.+)$/s.exec(line))
    .flatMap((match) => {
      const [, mode, type, path] = match ?? [];
      return mode === undefined || type === undefined || path === undefined ? [] : [{ mode, type, path }];
    });
}

async function populate(git: Git, paths: readonly string[], sha: string, directory: string): Promise<void> {
  if (paths.length === 0) return;
  if (!paths.includes('.')) {
    await git.run(directory, ['sparse-checkout', 'init', '--cone']);
    // By stdin, so that no path can be taken for an option. A quote at its beginning would have it unquoted.
    const lines = paths.map((path) => (path.startsWith('"') ? JSON.stringify(path) : path));
    await git.run(directory, ['sparse-checkout', 'set', '--stdin'], `${lines.join('\n')}\n`);
  }
  await git.run(directory, ['checkout', '--quiet', '--force', '--detach', sha, '--']);
}
