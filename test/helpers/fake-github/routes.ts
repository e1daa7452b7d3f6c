import { type Answer, ApiError } from './answer.js';
import type { BareRepository, Row } from './bare-repository.js';

/** What a route is given. */
export interface Call {
  method: string;
  /** Decoded segments after repos/OWNER/NAME. */
  path: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
  repository: BareRepository;
  name: string;
  /** Most entries of a recursive listing; beyond it is cut. */
  treeLimit: number;
}

const CONTENTS_LIMIT = 1024 * 1024;

/** GitHub's Git Data API as far as a registry meets it, with its status codes and its words. */
export async function route(call: Call): Promise<Answer> {
  const { method, path, repository } = call;
  const key = `${method} ${path[0] ?? ''}${path[0] === 'git' ? `/${path[1]}` : ''}`;
  if (key === 'GET ')
    return ok({
      full_name: call.name,
      default_branch: repository.defaultBranch,
      private: repository.isPrivate,
    });
  const isEmpty = await repository.isEmpty();
  if (path[0] === 'git' && isEmpty) throw new ApiError(409, 'Git Repository is empty.');
  switch (key) {
    case 'GET git/ref':
      return readRef(call);
    case 'GET git/tags':
      return readTag(call);
    case 'GET git/commits':
      return readCommit(call);
    case 'GET git/trees':
      return readTree(call);
    case 'GET git/blobs':
      return readBlob(call);
    case 'POST git/blobs':
      return createBlob(call);
    case 'POST git/trees':
      return createTree(call);
    case 'POST git/commits':
      return createCommit(call);
    case 'POST git/refs':
      return createRef(call);
    case 'PATCH git/refs':
      return updateRef(call);
    case 'PUT contents':
      return putContents(call, isEmpty);
    case 'GET contents':
      return readContents(call, isEmpty);
    default:
      throw new ApiError(404, 'Not Found');
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const created = (body: unknown): Answer => ({ status: 201, body });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

async function readRef({ path, repository }: Call): Promise<Answer> {
  const ref = `refs/${path.slice(2).join('/')}`;
  const sha = await repository.readRef(ref);
  if (sha === undefined) throw new ApiError(404, 'Not Found');
  return ok({ ref, object: { type: (await repository.type(sha)) ?? 'commit', sha } });
}

async function readTag({ path, repository }: Call): Promise<Answer> {
  const sha = path[2] ?? '';
  if ((await repository.type(sha)) !== 'tag') throw new ApiError(404, 'Not Found');
  const target = (await repository.readRef(`${sha}^{}`)) ?? '';
  return ok({ sha, object: { type: await repository.type(target), sha: target } });
}

async function readCommit({ path, repository }: Call): Promise<Answer> {
  const sha = path[2] ?? '';
  if ((await repository.type(sha)) !== 'commit') throw new ApiError(404, 'Not Found');
  return ok({ sha, tree: { sha: await repository.readRef(`${sha}^{tree}`) } });
}

async function readTree({ path, query, repository, treeLimit }: Call): Promise<Answer> {
  const sha = await repository.readRef(`${path.slice(2).join('/')}^{tree}`);
  if (sha === undefined) throw new ApiError(404, 'Not Found');
  // Any value of `recursive` turns it on, as on GitHub.
  const isRecursive = query.has('recursive');
  const rows = await repository.list(sha, isRecursive);
  const truncated = isRecursive && rows.length > treeLimit;
  return ok({ sha, tree: rows.slice(0, truncated ? treeLimit : undefined), truncated });
}

async function readBlob({ path, repository }: Call): Promise<Answer> {
  const sha = path[2] ?? '';
  if ((await repository.type(sha)) !== 'blob') throw new ApiError(404, 'Not Found');
  const content = (await repository.readBlob(sha)).toString('base64').replace(/(.{60})/g, '$1\n');
  return ok({ sha, content, encoding: 'base64' });
}

async function createBlob({ body, repository }: Call): Promise<Answer> {
  const content = text(body.content);
  if (body.encoding === 'base64' && !/^[A-Za-z0-9+/=\n]*$/.test(content)) {
    throw new ApiError(422, 'content is not valid Base64');
  }
  const bytes = Buffer.from(content, body.encoding === 'base64' ? 'base64' : 'utf8');
  return created({ sha: await repository.writeBlob(bytes) });
}

async function createTree({ body, repository }: Call): Promise<Answer> {
  const base =
    body.base_tree === undefined ? undefined : await repository.readRef(`${text(body.base_tree)}^{tree}`);
  if (body.base_tree !== undefined && base === undefined)
    throw new ApiError(422, 'base_tree is not a valid tree oid');
  const given = Array.isArray(body.tree) ? (body.tree as Record<string, unknown>[]) : [];
  if (given.length === 0) throw new ApiError(422, 'Invalid tree info');
  const known =
    base === undefined ? new Set() : new Set((await repository.list(base, true)).map((row) => row.path));
  const entries = [];
  for (const entry of given) {
    const path = text(entry.path);
    if (path.split('/').some((part) => ['', '.', '..', '.git'].includes(part.toLowerCase()))) {
      throw new ApiError(422, 'tree.path contains a malformed path component');
    }
    if (entry.sha === null && !known.has(path)) throw new ApiError(422, 'GitRPC::BadObjectState');
    const mode = text(entry.mode);
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    const sha = typeof entry.content === 'string' ? await repository.writeBlob(entry.content) : entry.sha;
    if (typeof sha === 'string' && type !== 'commit' && (await repository.type(sha)) !== type) {
      throw new ApiError(422, `tree.sha ${sha} is not a valid ${type}`);
    }
    entries.push({ path, mode, type, sha: typeof sha === 'string' ? sha : null });
  }
  const sha = await repository.overlay(base, entries);
  if (sha === undefined) throw new ApiError(422, 'Invalid tree info');
  const rows: Row[] = await repository.list(sha);
  return created({ sha, tree: rows, truncated: false });
}

async function createCommit({ body, repository }: Call): Promise<Answer> {
  const tree = text(body.tree);
  if ((await repository.type(tree)) !== 'tree') throw new ApiError(422, 'Tree SHA does not exist');
  const parents = Array.isArray(body.parents) ? body.parents.map(text) : [];
  for (const parent of parents) {
    if ((await repository.type(parent)) !== 'commit')
      throw new ApiError(422, 'Parent SHA does not exist or is not a commit object');
  }
  return created({
    sha: await repository.commitTree(tree, parents, text(body.message)),
    tree: { sha: tree },
  });
}

async function createRef({ body, repository }: Call): Promise<Answer> {
  const [ref, sha] = [text(body.ref), text(body.sha)];
  if ((await repository.type(sha)) === undefined) throw new ApiError(422, 'Object does not exist');
  // The zero id: only when it is not there yet, decided by git.
  if (!(await repository.moveRef(ref, sha, '0'.repeat(40))))
    throw new ApiError(422, 'Reference already exists');
  return created({ ref, object: { type: 'commit', sha } });
}

async function updateRef({ path, body, repository }: Call): Promise<Answer> {
  const ref = `refs/${path.slice(2).join('/')}`;
  const sha = text(body.sha);
  const old = await repository.readRef(ref);
  if (old === undefined) throw new ApiError(422, 'Reference does not exist');
  if ((await repository.type(sha)) !== 'commit') throw new ApiError(422, 'Object does not exist');
  if (body.force !== true && !(await repository.isAncestor(old, sha)))
    throw new ApiError(422, 'Update is not a fast forward');
  if (!(await repository.moveRef(ref, sha, old))) throw new ApiError(422, 'Reference cannot be updated');
  return ok({ ref, object: { type: 'commit', sha } });
}

async function putContents({ path, body, repository }: Call, isEmpty: boolean): Promise<Answer> {
  const file = path.slice(1).join('/');
  const branch = text(body.branch) || repository.defaultBranch;
  const head = await repository.readRef(`refs/heads/${branch}`);
  if (!isEmpty && head === undefined) throw new ApiError(404, `Branch ${branch} not found`);
  if (head !== undefined && (await repository.readRef(`${head}:${file}`)) !== undefined) {
    throw new ApiError(422, 'Invalid request. "sha" wasn\'t supplied.');
  }
  const files = { [file]: Buffer.from(text(body.content), 'base64') };
  const commit = await repository.commit(files, branch, text(body.message), isEmpty).catch(() => {
    throw new ApiError(409, `${file} does not match`);
  });
  return created({ commit: { sha: commit } });
}

async function readContents({ path, query, repository }: Call, isEmpty: boolean): Promise<Answer> {
  if (isEmpty) throw new ApiError(404, 'This repository is empty.');
  const file = path.slice(1).join('/');
  const branch = query.get('ref') ?? repository.defaultBranch;
  const sha = await repository.readRef(`refs/heads/${branch}:${file}`);
  if (sha === undefined || (await repository.type(sha)) !== 'blob') throw new ApiError(404, 'Not Found');
  const bytes = await repository.readBlob(sha);
  const isSmall = bytes.length <= CONTENTS_LIMIT;
  return ok({
    sha,
    size: bytes.length,
    encoding: isSmall ? 'base64' : 'none',
    content: isSmall ? bytes.toString('base64') : '',
  });
}
