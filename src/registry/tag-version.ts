import { Refusal } from '../errors/refusal.js';
import { isFault, RegistryFault } from './fault.js';
import type { GitData } from './git-data.js';
import { listFolders } from './head.js';
import type { Operation } from './operation.js';
import { quote } from './slug.js';
import { versionTag } from './version.js';

/** A version of a skill, as it is asked for. */
export interface VersionRequest {
  readonly slug: string;
  /** Without a leading v. */
  readonly version: string;
  readonly treeSha: string;
}

/** `free`, or `same` when the version stands for exactly this tree already. Throws a Refusal when it is another's. */
export async function checkVersion(
  git: GitData,
  operation: Operation,
  { slug, version, treeSha }: VersionRequest,
): Promise<'free' | 'same'> {
  const commit = await git.readTag(operation, versionTag(slug, version));
  if (commit === undefined) return 'free';
  const root = await git.readTree(operation, commit);
  if (listFolders(root.tree).find(({ path }) => path === slug)?.sha === treeSha) return 'same';
  throw new Refusal(
    `version ${version} of ${quote(slug)} is taken by the commit ${commit.slice(0, 7)}; nothing was written`,
    {
      code: 'CONFLICT',
      hint: 'a version never changes: choose the next one',
    },
  );
}

/** Creates the tag as the last step of a publication. Throws a fault that says what is published and what is not. */
export async function recordVersion(
  git: GitData,
  operation: Operation,
  { slug, version }: VersionRequest,
  commit: string,
): Promise<void> {
  const tag = versionTag(slug, version);
  try {
    await git.createTag(operation, tag, commit);
  } catch (error) {
    const isOurs = (await git.readTag(operation, tag).catch(() => undefined)) === commit;
    if (isOurs) return;
    const at = `${slug} is published at ${git.repository.name}@${commit.slice(0, 7)}`;
    if (isFault(error, 'rejected') && /already exists/i.test(error.details.words ?? '')) {
      throw new RegistryFault(
        'rejected',
        `${at}, but version ${version} was taken by another commit meanwhile`,
        {
          hint: 'publish the same content under the next version: that only adds the tag',
        },
      );
    }
    if (!(error instanceof RegistryFault)) throw error;
    throw new RegistryFault(error.kind, `${at}, but version ${version} was not recorded: ${error.message}`, {
      hint: 'publish the same content with the same version again: that only adds the tag',
    });
  }
}
