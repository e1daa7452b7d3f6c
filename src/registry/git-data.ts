import { z } from 'zod';
import { RegistryFault } from './fault.js';
import { hashBlob } from './git-hash.js';
import type { GitHubRepository, RepositoryCall } from './github.js';
import type { HttpReply } from './http-reply.js';
import type { Operation } from './operation.js';

const Sha = z.string().regex(/^[0-9a-f]{40}$/);

const TreeEntry = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.string(),
  sha: Sha,
  size: z.number().optional(),
});
/** One entry of a tree as GitHub lists it: names are one level deep, or whole paths in a recursive listing. */
export type TreeEntry = z.infer<typeof TreeEntry>;

const Tree = z.object({ sha: Sha, tree: z.array(TreeEntry), truncated: z.boolean().default(false) });
export type Tree = z.infer<typeof Tree>;

const Ref = z.object({ object: z.object({ type: z.string(), sha: Sha }) });
const Repository = z.object({ default_branch: z.string() });
const Created = z.object({ sha: Sha });
const Blob = z.object({ content: z.string(), encoding: z.string() });
const CommitTree = z.object({ tree: z.object({ sha: Sha }) });
const TagTarget = z.object({ object: z.object({ type: z.string(), sha: Sha }) });

/** One row of a tree that is to be made; `content` becomes a blob on the way. */
export interface NewTreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha?: string;
  readonly content?: string;
}

/** The calls of GitHub's Git Data API that a registry needs; every answer is parsed. */
export class GitData {
  constructor(readonly repository: GitHubRepository) {}

  async readDefaultBranch(operation: Operation): Promise<string> {
    const reply = await this.#get(operation, [], 'the repository');
    return this.#parse(Repository, reply).default_branch;
  }

  /** The commit at the head of a branch. */
  async readBranch(operation: Operation, branch: string): Promise<string> {
    const what = `the branch ${branch}`;
    const reply = await this.#get(operation, ['git', 'ref', 'heads', ...branch.split('/')], what);
    return this.#parse(Ref, reply).object.sha;
  }

  /** The commit that a tag points at, through annotated tags; undefined when there is no such tag. */
  async readTag(operation: Operation, tag: string): Promise<string | undefined> {
    let reply: HttpReply;
    try {
      reply = await this.#get(operation, ['git', 'ref', 'tags', ...tag.split('/')], `the tag ${tag}`);
    } catch (error) {
      if (error instanceof RegistryFault && error.kind === 'missing') return undefined;
      throw error;
    }
    let { object } = this.#parse(Ref, reply);
    while (object.type === 'tag') {
      const target = await this.#get(operation, ['git', 'tags', object.sha], `the tag ${tag}`);
      ({ object } = this.#parse(TagTarget, target));
    }
    return object.sha;
  }

  /** The names right below a commit or tree. */
  async readTree(operation: Operation, sha: string): Promise<Tree> {
    return this.#parse(Tree, await this.#get(operation, ['git', 'trees', sha], `the tree ${sha}`));
  }

  /** Everything below a commit or tree, unless `truncated`; undefined when `etag` is still right. */
  async readWholeTree(
    operation: Operation,
    sha: string,
    etag?: string,
  ): Promise<{ tree: Tree; etag: string | undefined } | undefined> {
    const reply = await this.repository.request(operation, {
      method: 'GET',
      path: ['git', 'trees', sha],
      query: 'recursive=1',
      what: `the tree ${sha}`,
      ...(etag !== undefined && { headers: { 'If-None-Match': etag } }),
    });
    if (reply.status === 304) return undefined;
    return { tree: this.#parse(Tree, reply), etag: reply.headers.get('etag') };
  }

  /** The tree of a commit. */
  async readCommitTree(operation: Operation, commit: string): Promise<string> {
    const reply = await this.#get(operation, ['git', 'commits', commit], `the commit ${commit}`);
    return this.#parse(CommitTree, reply).tree.sha;
  }

  /** The bytes of a blob, which are proven by their hash. */
  async readBlob(operation: Operation, sha: string): Promise<Buffer> {
    const reply = await this.#get(operation, ['git', 'blobs', sha], `the blob ${sha}`);
    const { content, encoding } = this.#parse(Blob, reply);
    const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
    if (hashBlob(bytes) !== sha) throw this.#unreadable(`other bytes than those of ${sha}`);
    return bytes;
  }

  async createBlob(operation: Operation, bytes: Buffer): Promise<string> {
    const body = { content: bytes.toString('base64'), encoding: 'base64' };
    return this.#create(operation, ['git', 'blobs'], body, 'a file');
  }

  async createTree(operation: Operation, tree: readonly NewTreeEntry[], base?: string): Promise<Tree> {
    const body = base === undefined ? { tree } : { base_tree: base, tree };
    const call = { method: 'POST', path: ['git', 'trees'], body, what: 'a tree' } as const;
    return this.#parse(Tree, await this.#settle(operation, call));
  }

  async createCommit(
    operation: Operation,
    commit: { readonly message: string; readonly tree: string; readonly parents: readonly string[] },
  ): Promise<string> {
    return this.#create(operation, ['git', 'commits'], commit, 'a commit');
  }

  /** Moves a branch forward; a branch that has moved meanwhile is refused by GitHub, never overwritten. */
  async moveBranch(operation: Operation, branch: string, commit: string): Promise<void> {
    const path = ['git', 'refs', 'heads', ...branch.split('/')];
    const body = { sha: commit, force: false };
    await this.#settle(operation, { method: 'PATCH', path, body, what: `a change of ${branch}` });
  }

  /** Throws a fault of the kind `rejected` when the tag is there already. */
  async createTag(operation: Operation, tag: string, commit: string): Promise<void> {
    const body = { ref: `refs/tags/${tag}`, sha: commit };
    await this.#settle(operation, { method: 'POST', path: ['git', 'refs'], body, what: `the tag ${tag}` });
  }

  /** The only write that a repository without a commit accepts. */
  async createFirstFile(operation: Operation, path: string, text: string, branch: string): Promise<void> {
    const body = { message: 'Start the registry', content: Buffer.from(text).toString('base64'), branch };
    await this.repository.request(operation, {
      method: 'PUT',
      path: ['contents', path],
      body,
      what: `the first file ${path}`,
    });
  }

  #get(operation: Operation, path: readonly string[], what: string): Promise<HttpReply> {
    return this.repository.request(operation, { method: 'GET', path, what });
  }

  async #create(operation: Operation, path: readonly string[], body: object, what: string): Promise<string> {
    return this.#parse(Created, await this.#settle(operation, { method: 'POST', path, body, what })).sha;
  }

  /** GitHub's replicas lag: an object that was just made may "not exist" for a moment. Asked once again, then believed. */
  async #settle(operation: Operation, call: RepositoryCall): Promise<HttpReply> {
    try {
      return await this.repository.request(operation, call);
    } catch (error) {
      const lags =
        error instanceof RegistryFault &&
        error.details.status === 422 &&
        /\b(?:tree sha|object) does not exist/i.test(error.details.words ?? '');
      if (!lags) throw error;
      await operation.pause(LAG_MS);
      return this.repository.request(operation, call);
    }
  }

  #parse<S extends z.ZodType>(schema: S, reply: HttpReply): z.infer<S> {
    let value: unknown;
    try {
      value = JSON.parse(reply.body.toString('utf8'));
    } catch {
      throw this.#unreadable('no JSON');
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      throw this.#unreadable(
        `an answer of another shape at ${parsed.error.issues[0]?.path.map(String).join('.')}`,
      );
    }
    return parsed.data;
  }

  #unreadable(what: string): RegistryFault {
    return new RegistryFault('server', `${this.repository.host} sent ${what}`);
  }
}

/** Replicas catch up within a second; the 422 came from production reports, ms. */
const LAG_MS = 1_000;
