import { Refusal } from '../errors/refusal.js';
import type { BlobStore } from './blob-store.js';
import { type Change, type CommitParts, commitChange } from './commit-change.js';
import { isFault } from './fault.js';
import { diffFiles, type FileChange } from './folder-diff.js';
import type { TreeEntry } from './git-data.js';
import { hashFiles, type TreeName } from './git-hash.js';
import { type Head, listFolders } from './head.js';
import type { Operation } from './operation.js';
import { type Payload, readSkillMd, toTreeNames, withoutProvenance } from './payload.js';
import type { PublishTurn } from './publish-turn.js';
import { replaceFolder } from './replace-folder.js';
import { checkReplaceable, conflict, refuseForeignEntry } from './replace-rule.js';
import { checkHeadFitsFolder, checkSkillHead } from './skill-head.js';
import { chooseFolder, quote } from './slug.js';
import { startRegistry } from './start-registry.js';
import { checkVersion, recordVersion, type VersionRequest } from './tag-version.js';
import { listFiles, type TreeFiles } from './tree-files.js';
import { uploadFolder } from './upload-folder.js';

export interface PublishRequest {
  readonly name: string;
  readonly payload: Payload;
  /** Tree that the caller saw last. */
  readonly expect?: string | undefined;
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  /** Without a leading v. */
  readonly version?: string | undefined;
}

export interface PublishResult {
  readonly slug: string;
  readonly status: 'created' | 'updated' | 'unchanged' | 'dry-run';
  /** Undefined for a dry run on a repository without a commit. */
  readonly commit: string | undefined;
  readonly treeSha: string;
  readonly skipped: readonly string[];
  readonly diff: readonly FileChange[];
}

export interface PublishParts extends Omit<CommitParts, 'branch'> {
  readonly branch: (operation: Operation) => Promise<string>;
  readonly blobs: BlobStore;
  readonly turn: PublishTurn;
}

/** Puts a skill into the registry as one commit that touches its folder alone. Throws a Refusal before any call where it can. */
export async function publishSkill(
  parts: PublishParts,
  operation: Operation,
  wanted: PublishRequest,
): Promise<PublishResult> {
  const request = { ...wanted, payload: withoutProvenance(wanted.payload) };
  const headName = checkSkillHead(readSkillMd(request.payload), request.name);
  const branch = await parts.branch(operation);
  return parts.turn.run(operation, async () => {
    const run = () => new Publication({ ...parts, branch }, operation, request, headName).run();
    try {
      return await run();
    } catch (error) {
      if (!isFault(error, 'empty')) throw error;
      if (request.dryRun) return previewFirst(request, headName);
      if (request.expect !== undefined) {
        throw conflict(parts.git.repository.name, request.name, undefined, request.expect);
      }
      await startRegistry(parts.git, operation, branch);
      return run();
    }
  });
}

type BranchParts = Omit<PublishParts, 'branch'> & { readonly branch: string };

/** One publication, over as many tries as it takes; what was uploaded once is not uploaded again. */
class Publication {
  readonly #parts: BranchParts;
  readonly #operation: Operation;
  readonly #request: PublishRequest;
  readonly #headName: string;
  #uploaded: string | undefined;
  #last: Omit<PublishResult, 'commit'> | undefined;

  constructor(parts: BranchParts, operation: Operation, request: PublishRequest, headName: string) {
    this.#parts = parts;
    this.#operation = operation;
    this.#request = request;
    this.#headName = headName;
  }

  async run(): Promise<PublishResult> {
    const result = await commitChange(this.#parts, this.#operation, (head) => this.#plan(head));
    if ('done' in result) return result.done;
    if (this.#last === undefined) throw new Error('a commit was made without a plan');
    const { version } = this.#request;
    const published = { ...this.#last, commit: result.commit };
    if (version !== undefined) {
      await recordVersion(this.#parts.git, this.#operation, { ...published, version }, published.commit);
    }
    return published;
  }

  async #plan(head: Head): Promise<Change<PublishResult>> {
    const { payload, name, dryRun, version } = this.#request;
    const folders = listFolders(head.root.tree);
    const slug = chooseFolder(
      name,
      folders.map(({ path }) => path),
    );
    checkHeadFitsFolder(this.#headName, slug);
    refuseForeignEntry(head, slug);
    const existing = folders.find(({ path }) => path === slug);
    const base = { slug, skipped: payload.skipped };
    const unchanged = async (treeSha: string) => {
      await this.#tagHead(slug, treeSha, head.commit);
      return { done: { ...base, status: 'unchanged' as const, treeSha, diff: [], commit: head.commit } };
    };

    let rows = toTreeNames(payload);
    if (existing?.sha === hashFiles(rows)) return unchanged(existing.sha);
    const old = existing === undefined ? new Map() : await this.#readOld(existing);
    rows = toTreeNames(payload, old);
    const treeSha = hashFiles(rows);
    if (existing?.sha === treeSha) return unchanged(treeSha);

    const { expect, overwrite } = this.#request;
    await checkReplaceable(
      { slug, headName: this.#headName, expect, overwrite, existing, old },
      this.#parts.git.repository.name,
      (sha) => this.#parts.blobs.read(this.#operation, sha),
    );
    if (version !== undefined) await this.#requireFree({ slug, version, treeSha });
    const diff = diffFiles(old, rows);
    if (dryRun) return { done: { ...base, status: 'dry-run', treeSha, diff, commit: head.commit } };
    await this.#upload(rows, treeSha, old);
    this.#last = { ...base, status: existing === undefined ? 'created' : 'updated', treeSha, diff };
    const rootTree = await replaceFolder(this.#parts.git, this.#operation, head, slug, treeSha);
    return { rootTree, message: `publish: ${slug}`, folder: slug, folderTree: treeSha };
  }

  async #readOld(existing: TreeEntry): Promise<TreeFiles> {
    const whole = await this.#parts.git.readWholeTree(this.#operation, existing.sha);
    if (whole === undefined || whole.tree.truncated) {
      throw new Refusal(`the folder ${quote(existing.path)} has more files than GitHub lists at once`);
    }
    return listFiles(whole.tree.tree);
  }

  async #upload(rows: readonly TreeName[], treeSha: string, old: TreeFiles): Promise<void> {
    if (this.#uploaded === treeSha) return;
    const { git } = this.#parts;
    this.#uploaded = await uploadFolder(git, this.#operation, this.#request.payload, rows, old);
  }

  async #requireFree(wanted: VersionRequest): Promise<void> {
    if ((await checkVersion(this.#parts.git, this.#operation, wanted)) === 'free') return;
    const { slug, version } = wanted;
    throw new Refusal(
      `version ${version} of ${quote(slug)} holds exactly this content, but is not the newest`,
      {
        code: 'CONFLICT',
        hint: 'to bring it back, roll back to that version',
      },
    );
  }

  /** Unchanged content needs no commit: a new version of it is a tag at the head. */
  async #tagHead(slug: string, treeSha: string, commit: string): Promise<void> {
    const { version, dryRun } = this.#request;
    if (version === undefined) return;
    const { git } = this.#parts;
    const state = await checkVersion(git, this.#operation, { slug, version, treeSha });
    if (state === 'free' && !dryRun) {
      await recordVersion(git, this.#operation, { slug, version, treeSha }, commit);
    }
  }
}

/** What the first publication of all would do. */
function previewFirst({ name, payload }: PublishRequest, headName: string): PublishResult {
  const rows = toTreeNames(payload);
  const slug = chooseFolder(name, []);
  checkHeadFitsFolder(headName, slug);
  const { skipped } = payload;
  return {
    slug,
    status: 'dry-run',
    commit: undefined,
    treeSha: hashFiles(rows),
    skipped,
    diff: diffFiles(new Map(), rows),
  };
}
