import { isFault, RegistryFault } from './fault.js';
import type { GitData } from './git-data.js';
import { type Head, readHead } from './head.js';
import type { Operation } from './operation.js';

/** How often a change is built anew on a branch that others keep moving. */
const TRIES = 8;
/** Full jitter below min(2 s, 0.1 s · 2ⁿ): publishers in lock-step would meet again at every try. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** A change as it looks on one head: nothing left to do, or a new tree for the whole registry. */
export type Change<Done> =
  | { readonly done: Done }
  | {
      readonly rootTree: string;
      readonly message: string;
      /** The folder that changes, and its tree afterwards; undefined when it goes. */
      readonly folder: string;
      readonly folderTree: string | undefined;
    };

export interface Committed {
  readonly commit: string;
}

export interface CommitParts {
  readonly git: GitData;
  readonly branch: string;
  /** In [0, 1). */
  readonly random: () => number;
  readonly note: (line: string) => void;
}

/**
 * Compare and swap: reads the head, lets `plan` build a change on it, commits it, and moves the branch. Starts over
 * only when the branch has really moved meanwhile; whatever else GitHub refuses comes out at once.
 */
export async function commitChange<Done>(
  parts: CommitParts,
  operation: Operation,
  plan: (head: Head) => Promise<Change<Done>>,
): Promise<{ readonly done: Done } | Committed> {
  const { git, branch } = parts;
  for (let attempt = 1; ; attempt++) {
    const head = await readHead(git, operation, branch);
    const change = await plan(head);
    if ('done' in change) return change;
    const { rootTree, message } = change;
    const commit = await git.createCommit(operation, { message, tree: rootTree, parents: [head.commit] });
    try {
      await git.moveBranch(operation, branch, commit);
      return { commit };
    } catch (error) {
      if (isFault(error, 'unreachable', 'server')) return await confirmLost(parts, operation, change, error);
      if (!isFault(error, 'rejected', 'empty')) throw error;
      if (!(await hasMoved(parts, operation, head.commit, error))) throw error;
      if (attempt === TRIES) throw tooBusy(git);
      const limit = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
      parts.note(`${branch} moved meanwhile; try ${attempt + 1} of ${TRIES} for ${change.folder}`);
      await operation.pause(parts.random() * limit);
    }
  }
}

async function hasMoved(
  { git, branch }: CommitParts,
  operation: Operation,
  from: string,
  error: RegistryFault,
): Promise<boolean> {
  // The branch that is read may be a minute old; GitHub's own word that it moved is newer.
  if (/not a fast.?forward/i.test(error.details.words ?? '')) return true;
  return (await git.readBranch(operation, branch)) !== from;
}

/** The answer to the last step was lost: it is never repeated. What stands at the head now says whether it happened. */
async function confirmLost(
  { git, branch }: CommitParts,
  operation: Operation,
  { folder, folderTree }: { readonly folder: string; readonly folderTree: string | undefined },
  error: RegistryFault,
): Promise<Committed> {
  const unknown = (why: string) =>
    new RegistryFault('rejected', `${error.message}; ${why}`, {
      hint: 'look at the registry, then publish again: what is there already is left alone',
    });
  let head: Head;
  try {
    head = await readHead(git, operation, branch);
  } catch (cause) {
    if (isFault(cause, 'cancelled')) throw cause;
    throw unknown('whether the change was made is unknown');
  }
  const found = head.root.tree.find(({ path }) => path === folder);
  if (found?.sha !== folderTree) throw unknown('the change was not made');
  return { commit: head.commit };
}

function tooBusy(git: GitData): RegistryFault {
  return new RegistryFault(
    'rejected',
    `${git.repository.name} was changed by others during all ${TRIES} tries`,
    {
      hint: 'nothing was written; try again',
    },
  );
}
