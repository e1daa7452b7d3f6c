import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { Refusal } from '../errors/refusal.js';
import { mapBounded } from '../skill/map-bounded.js';
import type { CachePaths } from './cache-paths.js';
import type { CopyFile, CopyStore } from './copy-store.js';
import { isFault, isOutage, RegistryFault } from './fault.js';
import type { GitData } from './git-data.js';
import { listFolders, readHead } from './head.js';
import type { Operation } from './operation.js';
import { recall, remember } from './remembered.js';
import { checkName, quote, resolveFolder } from './slug.js';
import { listFiles, refuseUnfit } from './tree-files.js';
import { isTreeSha, parseVersion, versionTag } from './version.js';

/** gh calls at a time: as many as there are slots for tools. */
export const PARALLEL_CALLS = 8;

/** A skill on the disk, proven to hold exactly `treeSha`. */
export interface FetchedSkill {
  readonly slug: string;
  /** Absolute. */
  readonly path: string;
  readonly treeSha: string;
  /** The commit at which it was found; undefined for a tree that was named by its hash. */
  readonly commit: string | undefined;
  /** GitHub could not be asked: this is what it held at `staleSince` (ISO 8601). */
  readonly staleSince?: string;
  readonly staleReason?: string;
}

const Note = z.object({ treeSha: z.string().regex(/^[0-9a-f]{40}$/), commit: z.string(), at: z.string() });

export interface ReadParts {
  readonly git: GitData;
  readonly paths: CachePaths;
  readonly copies: CopyStore;
  readonly branch: (operation: Operation) => Promise<string>;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly note: (line: string) => void;
}

/** Fetches a skill as it is at the branch's head, at a version, or as the tree of that hash. */
export async function readSkill(
  parts: ReadParts,
  operation: Operation,
  name: string,
  version?: string,
): Promise<FetchedSkill> {
  checkName(name);
  if (version !== undefined && isTreeSha(version))
    return readTree(parts, operation, name, version.toLowerCase());
  if (version !== undefined) return readVersion(parts, operation, name, parseVersion(version));
  return readNewest(parts, operation, name);
}

async function readNewest(parts: ReadParts, operation: Operation, name: string): Promise<FetchedSkill> {
  const branch = await parts.branch(operation);
  try {
    const head = await readHead(parts.git, operation, branch);
    const folders = listFolders(head.root.tree);
    const slug = resolveFolder(
      name,
      folders.map(({ path }) => path),
    );
    const treeSha = folders.find(({ path }) => path === slug)?.sha;
    if (slug === undefined || treeSha === undefined) throw notFound(parts, name);
    const path = await fetchCopy(parts, operation, slug, treeSha);
    const at = new Date(parts.now()).toISOString();
    await remember(parts.paths.note(branch, slug), { treeSha, commit: head.commit, at }, parts.note);
    return { slug, path, treeSha, commit: head.commit };
  } catch (error) {
    if (isFault(error, 'empty')) throw notFound(parts, name);
    if (!isOutage(error)) throw error;
    return await readStale(parts, branch, name, error);
  }
}

/** What this machine saw last, when GitHub says nothing at all about the skill. */
async function readStale(
  parts: ReadParts,
  branch: string,
  name: string,
  fault: RegistryFault,
): Promise<FetchedSkill> {
  const seen = await readdir(parts.paths.notes(branch)).catch(() => []);
  const slug = resolveFolder(
    name,
    seen.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length)),
  );
  const note = slug === undefined ? undefined : await recall(Note, parts.paths.note(branch, slug));
  if (slug === undefined || note === undefined) throw fault;
  const { treeSha, commit, at } = note;
  const path = await parts.copies.find(slug, treeSha);
  if (path === undefined) throw fault;
  return { slug, path, treeSha, commit, staleSince: at, staleReason: fault.message };
}

async function readVersion(
  parts: ReadParts,
  operation: Operation,
  name: string,
  version: string,
): Promise<FetchedSkill> {
  const { git } = parts;
  // Tags bear the folder's own spelling, so the name is resolved first; a skill that is gone has its old tags still.
  const head = await readHead(git, operation, await parts.branch(operation));
  const slug =
    resolveFolder(
      name,
      listFolders(head.root.tree).map(({ path }) => path),
    ) ?? name;
  const commit = await git.readTag(operation, versionTag(slug, version));
  if (commit === undefined) {
    throw new Refusal(`${quote(slug)} has no version ${version} in ${git.repository.name}`);
  }
  const root = await git.readTree(operation, commit);
  const treeSha = listFolders(root.tree).find(({ path }) => path === slug)?.sha;
  if (treeSha === undefined) throw notFound(parts, `${slug} ${version}`);
  return { slug, path: await fetchCopy(parts, operation, slug, treeSha), treeSha, commit };
}

async function readTree(
  parts: ReadParts,
  operation: Operation,
  slug: string,
  treeSha: string,
): Promise<FetchedSkill> {
  const path = await fetchCopy(parts, operation, slug, treeSha);
  return { slug, path, treeSha, commit: undefined };
}

async function fetchCopy(
  { git, copies, note }: ReadParts,
  operation: Operation,
  slug: string,
  treeSha: string,
): Promise<string> {
  const kept = await copies.find(slug, treeSha);
  if (kept !== undefined) return kept;
  const whole = await git.readWholeTree(operation, treeSha);
  if (whole === undefined || whole.tree.truncated) {
    throw new Refusal(`the skill ${quote(slug)} is refused: it has more files than GitHub lists at once`);
  }
  const files = listFiles(whole.tree.tree);
  refuseUnfit(files, slug);
  let done = 0;
  let isFailed = false;
  const fetched = await mapBounded([...files.values()], PARALLEL_CALLS, async ({ path, mode, sha }) => {
    if (isFailed) return { path, mode, bytes: Buffer.alloc(0) };
    try {
      const bytes = await git.readBlob(operation, sha);
      operation.report({ done: ++done, total: files.size, message: path });
      return { path, mode, bytes } satisfies CopyFile;
    } catch (error) {
      isFailed = true;
      throw error;
    }
  });
  const folder = await copies.write(slug, treeSha, fetched);
  note(`downloaded ${slug} (${treeSha.slice(0, 7)}), ${files.size} files`);
  return folder;
}

function notFound({ git }: ReadParts, name: string): RegistryFault {
  return new RegistryFault('missing', `${quote(name)} was not found in ${git.repository.name}`, {
    hint: 'list_skills shows what there is',
  });
}
