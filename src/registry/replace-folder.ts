import { RegistryFault } from './fault.js';
import type { GitData, NewTreeEntry } from './git-data.js';
import { DIRECTORY_MODE, hashTree } from './git-hash.js';
import type { Head } from './head.js';
import type { Operation } from './operation.js';

/** Makes the registry's tree with one folder put in or exchanged; everything else stays what it is. */
export async function replaceFolder(
  git: GitData,
  operation: Operation,
  head: Head,
  slug: string,
  treeSha: string,
): Promise<string> {
  const entry = { path: slug, mode: DIRECTORY_MODE, type: 'tree', sha: treeSha } as const;
  const made = await git.createTree(operation, [entry], head.root.sha);
  if (made.tree.find(({ path }) => path === slug)?.sha !== treeSha) throw wrongTree(git);
  return made.sha;
}

/** Makes the registry's tree without one folder. Built from all the other names: a folder cannot be deleted by its name. */
export async function removeFolder(
  git: GitData,
  operation: Operation,
  head: Head,
  slug: string,
): Promise<string> {
  const rest = head.root.tree.filter(({ path }) => path !== slug);
  if (rest.length === 0) {
    throw new RegistryFault('rejected', `${slug} is the only entry of ${git.repository.name}`, {
      hint: 'add a README.md to the repository first: GitHub makes no empty tree',
    });
  }
  const entries = rest.map(({ path, mode, type, sha }): NewTreeEntry => {
    return { path, mode, sha, type: type === 'tree' || type === 'commit' ? type : 'blob' };
  });
  const made = await git.createTree(operation, entries);
  if (made.sha !== hashTree(rest)) throw wrongTree(git);
  return made.sha;
}

function wrongTree(git: GitData): RegistryFault {
  return new RegistryFault(
    'rejected',
    `${git.repository.host} made another tree than the one that was sent`,
    {
      hint: 'nothing was changed',
    },
  );
}
