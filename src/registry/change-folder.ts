import { Refusal } from '../errors/refusal.js';
import { commitChange } from './commit-change.js';
import { RegistryFault } from './fault.js';
import { listFolders } from './head.js';
import type { Operation } from './operation.js';
import type { PublishParts } from './publish-skill.js';
import { removeFolder, replaceFolder } from './replace-folder.js';
import { checkName, quote, resolveFolder } from './slug.js';
import { listFiles, refuseUnfit } from './tree-files.js';
import { isTreeSha, parseVersion, versionTag } from './version.js';

/** What a deletion or a rollback did. */
export interface FolderChange {
  readonly slug: string;
  readonly status: 'deleted' | 'rolled-back' | 'unchanged';
  readonly commit: string;
  /** The folder's tree afterwards, or the one that was deleted. */
  readonly treeSha: string;
}

/** Takes a skill out of the registry in one commit; its history and its versions stay. */
export async function deleteSkill(
  parts: PublishParts,
  operation: Operation,
  name: string,
): Promise<FolderChange> {
  checkName(name);
  const branch = await parts.branch(operation);
  let gone = { slug: name, treeSha: '' };
  const result = await parts.turn.run(operation, () =>
    commitChange<never>({ ...parts, branch }, operation, async (head) => {
      const folders = listFolders(head.root.tree);
      const slug = resolveFolder(
        name,
        folders.map(({ path }) => path),
      );
      const folder = folders.find(({ path }) => path === slug);
      if (folder === undefined) throw notFound(parts, name);
      gone = { slug: folder.path, treeSha: folder.sha };
      const rootTree = await removeFolder(parts.git, operation, head, folder.path);
      return { rootTree, message: `delete: ${folder.path}`, folder: folder.path, folderTree: undefined };
    }),
  );
  if ('done' in result) throw new Error('a deletion always makes a commit');
  return { ...gone, status: 'deleted', commit: result.commit };
}

/** Publishes an older tree of a skill again: by its hash, or by the version that stood for it. */
export async function rollbackSkill(
  parts: PublishParts,
  operation: Operation,
  name: string,
  target: string,
): Promise<FolderChange> {
  checkName(name);
  const { git } = parts;
  const version = isTreeSha(target) ? undefined : parseVersion(target);
  const branch = await parts.branch(operation);
  let chosen: { slug: string; treeSha: string } | undefined;
  const result = await parts.turn.run(operation, () =>
    commitChange<FolderChange>({ ...parts, branch }, operation, async (head) => {
      const folders = listFolders(head.root.tree);
      // A deleted skill can be brought back too: then its name is taken as it was given.
      const slug =
        resolveFolder(
          name,
          folders.map(({ path }) => path),
        ) ?? name;
      const treeSha =
        version === undefined ? target.toLowerCase() : await readVersionTree(parts, operation, slug, version);
      chosen = { slug, treeSha };
      if (folders.find(({ path }) => path === slug)?.sha === treeSha) {
        return { done: { slug, treeSha, status: 'unchanged', commit: head.commit } };
      }
      const whole = await git.readWholeTree(operation, treeSha);
      if (whole === undefined || whole.tree.truncated) throw new Refusal(`the tree ${treeSha} is too large`);
      refuseUnfit(listFiles(whole.tree.tree), slug);
      const rootTree = await replaceFolder(git, operation, head, slug, treeSha);
      const message = `rollback: ${slug} to ${version ?? treeSha.slice(0, 7)}`;
      return { rootTree, message, folder: slug, folderTree: treeSha };
    }),
  );
  if ('done' in result) return result.done;
  if (chosen === undefined) throw new Error('a commit was made without a plan');
  return { ...chosen, status: 'rolled-back', commit: result.commit };
}

async function readVersionTree(
  { git }: PublishParts,
  operation: Operation,
  slug: string,
  version: string,
): Promise<string> {
  const commit = await git.readTag(operation, versionTag(slug, version));
  const root = commit === undefined ? undefined : await git.readTree(operation, commit);
  const treeSha = root?.tree.find(({ path, type }) => path === slug && type === 'tree')?.sha;
  if (treeSha === undefined) {
    throw new Refusal(`${quote(slug)} has no version ${version} in ${git.repository.name}`);
  }
  return treeSha;
}

function notFound({ git }: PublishParts, name: string): RegistryFault {
  return new RegistryFault('missing', `${quote(name)} was not found in ${git.repository.name}`);
}
