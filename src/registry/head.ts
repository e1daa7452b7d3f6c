import { RegistryFault } from './fault.js';
import type { GitData, Tree, TreeEntry } from './git-data.js';
import type { Operation } from './operation.js';

/** The top level of the registry at one commit. */
export interface Head {
  readonly commit: string;
  readonly root: Tree;
}

/** A fault that says whether the repository or only its branch is missing: both answer 404. */
export async function readHeadCommit(git: GitData, operation: Operation, branch: string): Promise<string> {
  try {
    return await git.readBranch(operation, branch);
  } catch (error) {
    if (!(error instanceof RegistryFault) || error.kind !== 'missing') throw error;
    await git.readDefaultBranch(operation).catch((cause: unknown) => {
      if (!(cause instanceof RegistryFault) || cause.kind !== 'missing') throw cause;
      throw new RegistryFault(
        'missing',
        `the repository ${git.repository.name} was not found`,
        cause.details,
      );
    });
    throw new RegistryFault('missing', `${git.repository.name} has no branch ${branch}`, {
      status: 404,
      hint: 'name another branch in the configuration, or create this one',
    });
  }
}

/** Branch → commit → the names at the top: two calls. */
export async function readHead(git: GitData, operation: Operation, branch: string): Promise<Head> {
  const commit = await readHeadCommit(git, operation, branch);
  const root = await git.readTree(operation, commit);
  if (root.truncated)
    throw new RegistryFault('rejected', `${git.repository.name} has too many entries at its top`);
  return { commit, root };
}

/** The folders at the top of a registry that may be skills. */
export function listFolders(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.filter(({ type, path }) => type === 'tree' && !path.includes('/') && !path.startsWith('.'));
}
