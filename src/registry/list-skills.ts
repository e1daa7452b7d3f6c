import { z } from 'zod';
import { mapBounded } from '../skill/map-bounded.js';
import type { BlobStore } from './blob-store.js';
import type { CachePaths } from './cache-paths.js';
import { isFault, RegistryFault } from './fault.js';
import type { GitData, TreeEntry } from './git-data.js';
import { listFolders, readHeadCommit } from './head.js';
import type { Operation } from './operation.js';
import { PARALLEL_CALLS } from './read-skill.js';
import { recall, remember } from './remembered.js';
import { readSkillHead } from './skill-head.js';

/** Largest SKILL.md that is looked into for a listing, bytes. */
const MAX_SKILL_MD_BYTES = 1024 * 1024;

export interface ListedSkill {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly treeSha: string;
}

/** A folder that is no usable skill. */
export interface UnusableFolder {
  readonly slug: string;
  readonly reason: string;
}

export interface SkillListing {
  readonly branch: string;
  readonly skills: readonly ListedSkill[];
  readonly problems: readonly UnusableFolder[];
}

export interface ListParts {
  readonly git: GitData;
  readonly paths: CachePaths;
  readonly blobs: BlobStore;
  readonly branch: (operation: Operation) => Promise<string>;
  readonly note: (line: string) => void;
}

const Folder = z.object({
  slug: z.string(),
  treeSha: z.string(),
  skillMd: z.object({ sha: z.string(), mode: z.string(), size: z.number() }).nullable(),
});
type Folder = z.infer<typeof Folder>;
const Kept = z.object({ commit: z.string(), etag: z.string(), folders: z.array(Folder) });

/** Every folder at the top of the registry: two calls, and one more for each SKILL.md that was never seen before. */
export async function listSkills(parts: ListParts, operation: Operation): Promise<SkillListing> {
  const branch = await parts.branch(operation);
  let commit: string;
  try {
    commit = await readHeadCommit(parts.git, operation, branch);
  } catch (error) {
    if (isFault(error, 'empty')) return { branch, skills: [], problems: [] };
    throw error;
  }
  const folders = await readFolders(parts, operation, branch, commit);
  const skills: ListedSkill[] = [];
  const problems: UnusableFolder[] = [];
  let done = 0;
  let isFailed = false;
  const read = await mapBounded(folders, PARALLEL_CALLS, async (folder) => {
    if (isFailed) return { slug: folder.slug, reason: '' };
    try {
      const result = await describeFolder(parts, operation, folder);
      operation.report({ done: ++done, total: folders.length, message: folder.slug });
      return result;
    } catch (error) {
      isFailed = true;
      throw error;
    }
  });
  for (const result of read) {
    if ('reason' in result) problems.push(result);
    else skills.push(result);
  }
  return { branch, skills, problems };
}

async function describeFolder(
  { blobs }: ListParts,
  operation: Operation,
  { slug, treeSha, skillMd }: Folder,
): Promise<ListedSkill | UnusableFolder> {
  if (skillMd === null) return { slug, reason: 'no SKILL.md' };
  if (skillMd.mode === '120000') return { slug, reason: 'SKILL.md is a symbolic link' };
  if (skillMd.size > MAX_SKILL_MD_BYTES) {
    return { slug, reason: `SKILL.md has ${skillMd.size} bytes, at most ${MAX_SKILL_MD_BYTES}` };
  }
  const head = readSkillHead(await blobs.read(operation, skillMd.sha));
  if ('fault' in head) return { slug, reason: `SKILL.md: ${head.fault}` };
  if (head.description === undefined) return { slug, reason: 'SKILL.md: the frontmatter has no description' };
  return { slug, name: head.name ?? slug, description: head.description, treeSha };
}

async function readFolders(
  { git, paths, note }: ListParts,
  operation: Operation,
  branch: string,
  commit: string,
): Promise<Folder[]> {
  const file = paths.listing(branch);
  const kept = await recall(Kept, file);
  const usable = kept?.commit === commit ? kept : undefined;
  const whole = await git.readWholeTree(operation, commit, usable?.etag);
  if (whole === undefined) return usable?.folders ?? [];
  const { tree, etag } = whole;
  // A cut listing says nothing about what it leaves out: it is walked folder by folder instead.
  const folders = tree.truncated ? await walkFolders(git, operation, commit) : sortFolders(tree.tree);
  if (etag !== undefined && !tree.truncated) await remember(file, { commit, etag, folders }, note);
  return folders;
}

function sortFolders(entries: readonly TreeEntry[]): Folder[] {
  const skillMds = new Map(
    entries
      .filter(({ type, path }) => type === 'blob' && /^[^/]+\/SKILL\.md$/.test(path))
      .map((entry) => [entry.path.split('/')[0], entry]),
  );
  return listFolders(entries).map(({ path, sha }) => toFolder(path, sha, skillMds.get(path)));
}

async function walkFolders(git: GitData, operation: Operation, commit: string): Promise<Folder[]> {
  const root = await git.readTree(operation, commit);
  if (root.truncated)
    throw new RegistryFault('rejected', `${git.repository.name} has too many entries at its top`);
  return mapBounded(listFolders(root.tree), PARALLEL_CALLS, async ({ path, sha }) => {
    const { tree } = await git.readTree(operation, sha);
    return toFolder(
      path,
      sha,
      tree.find((entry) => entry.type === 'blob' && entry.path === 'SKILL.md'),
    );
  });
}

function toFolder(slug: string, treeSha: string, skillMd: TreeEntry | undefined): Folder {
  const { sha, mode, size = 0 } = skillMd ?? {};
  const found = sha === undefined || mode === undefined ? null : { sha, mode, size };
  return { slug, treeSha, skillMd: found };
}
