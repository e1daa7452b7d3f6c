import { mkdirSync } from 'node:fs';
import { git, gitLine, gitTry } from './git.js';

/** One name of a tree, as ls-tree shows it. */
export interface Row {
  mode: string;
  type: string;
  sha: string;
  path: string;
  size?: number;
}

/** What a test puts into a repository: text, bytes, or an entry of a special mode. */
export type Content = string | Buffer | { mode: string; content?: string; sha?: string };

/** A real bare repository, and the few operations that the API needs of it. */
export class BareRepository {
  isPrivate = false;
  constructor(
    readonly directory: string,
    readonly defaultBranch = 'main',
  ) {}

  static async create(directory: string, defaultBranch = 'main'): Promise<BareRepository> {
    mkdirSync(directory, { recursive: true });
    await git(directory, ['init', '-q', '--bare', `--initial-branch=${defaultBranch}`]);
    return new BareRepository(directory, defaultBranch);
  }

  async isEmpty(): Promise<boolean> {
    return (await gitLine(this.directory, ['for-each-ref', '--count=1'])) === '';
  }

  readRef(ref: string): Promise<string | undefined> {
    return gitTry(this.directory, ['rev-parse', '--verify', '-q', `${ref}`]);
  }

  type(sha: string): Promise<string | undefined> {
    return gitTry(this.directory, ['cat-file', '-t', sha]);
  }

  readBlob(sha: string): Promise<Buffer> {
    return git(this.directory, ['cat-file', 'blob', sha]);
  }

  writeBlob(bytes: Buffer | string): Promise<string> {
    return gitLine(this.directory, ['hash-object', '-w', '--stdin'], bytes);
  }

  async list(tree: string, recursive = false): Promise<Row[]> {
    const flags = recursive ? ['-r', '-t'] : [];
    const out = (await git(this.directory, ['ls-tree', '-z', '-l', ...flags, tree])).toString();
    return out
      .split('\0')
      .filter(Boolean)
      .map((line) => {
        const [head = '', path = ''] = line.split('\t');
        const [mode = '', type = '', sha = '', size = '-'] = head.split(/ +/);
        return { mode, type, sha, path, ...(size !== '-' && { size: Number(size) }) };
      });
  }

  writeTree(rows: readonly Pick<Row, 'mode' | 'type' | 'sha' | 'path'>[]): Promise<string> {
    const input = rows.map(({ mode, type, sha, path }) => `${mode} ${type} ${sha}\t${path}\0`).join('');
    return gitLine(this.directory, ['mktree', '-z'], input);
  }

  /** Puts entries (whole paths; sha null removes) over a base tree. */
  async overlay(
    base: string | undefined,
    entries: readonly { mode: string; type: string; sha: string | null; path: string }[],
  ): Promise<string | undefined> {
    const rows = new Map((base === undefined ? [] : await this.list(base)).map((row) => [row.path, row]));
    const below = new Map<string, { mode: string; type: string; sha: string | null; path: string }[]>();
    for (const entry of entries) {
      const slash = entry.path.indexOf('/');
      if (slash === -1) {
        if (entry.sha === null) rows.delete(entry.path);
        else rows.set(entry.path, { ...entry, sha: entry.sha });
      } else {
        const folder = entry.path.slice(0, slash);
        below.set(folder, [...(below.get(folder) ?? []), { ...entry, path: entry.path.slice(slash + 1) }]);
      }
    }
    for (const [folder, inner] of below) {
      const old = rows.get(folder);
      const sha = await this.overlay(old?.type === 'tree' ? old.sha : undefined, inner);
      if (sha === undefined) rows.delete(folder);
      else rows.set(folder, { mode: '040000', type: 'tree', sha, path: folder });
    }
    return rows.size === 0 ? undefined : this.writeTree([...rows.values()]);
  }

  commitTree(tree: string, parents: readonly string[], message: string): Promise<string> {
    const flags = parents.flatMap((parent) => ['-p', parent]);
    return gitLine(this.directory, ['commit-tree', tree, ...flags, '-m', message]);
  }

  async isAncestor(old: string, next: string): Promise<boolean> {
    return (await gitTry(this.directory, ['merge-base', '--is-ancestor', old, next])) !== undefined;
  }

  /** False when the ref is not at `old` any more. */
  async moveRef(ref: string, next: string, old: string): Promise<boolean> {
    return (await gitTry(this.directory, ['update-ref', ref, next, old])) !== undefined;
  }

  /** Commits files (undefined content removes) right onto a branch: what somebody else does. `isFirst`: or fails. */
  async commit(
    files: Record<string, Content | undefined>,
    branch = this.defaultBranch,
    message = 'seed',
    isFirst = false,
  ): Promise<string> {
    const parent = await this.readRef(`refs/heads/${branch}`);
    const entries = [];
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) entries.push({ path, mode: '100644', type: 'blob', sha: null });
      else if (typeof content === 'string' || Buffer.isBuffer(content)) {
        entries.push({ path, mode: '100644', type: 'blob', sha: await this.writeBlob(content) });
      } else {
        const type = content.mode === '160000' ? 'commit' : 'blob';
        const sha = content.sha ?? (await this.writeBlob(content.content ?? ''));
        entries.push({ path, mode: content.mode, type, sha });
      }
    }
    const tree = (await this.overlay(parent && `${parent}^{tree}`, entries)) ?? (await this.writeTree([]));
    const commit = await this.commitTree(tree, parent === undefined ? [] : [parent], message);
    const old = isFirst ? '0'.repeat(40) : undefined;
    await git(this.directory, [
      'update-ref',
      `refs/heads/${branch}`,
      commit,
      ...(old === undefined ? [] : [old]),
    ]);
    return commit;
  }

  /** The tree of a folder at a branch, as git itself says it. */
  treeOf(path: string, branch = this.defaultBranch): Promise<string | undefined> {
    return gitTry(this.directory, ['rev-parse', '--verify', '-q', `refs/heads/${branch}:${path}`]);
  }

  /** `mode path` of every file at a branch. */
  async files(branch = this.defaultBranch): Promise<string[]> {
    const rows = await this.list(`refs/heads/${branch}`, true);
    return rows.filter(({ type }) => type !== 'tree').map(({ mode, path }) => `${mode} ${path}`);
  }

  read(path: string, branch = this.defaultBranch): Promise<Buffer> {
    return git(this.directory, ['cat-file', 'blob', `refs/heads/${branch}:${path}`]);
  }

  /** Subjects, newest first; a merge commit shows its parents. */
  async log(branch = this.defaultBranch): Promise<{ subject: string; parents: number }[]> {
    const out = await gitLine(this.directory, ['log', '--format=%P%x09%s', `refs/heads/${branch}`]);
    return out.split('\n').map((line) => {
      const [parents = '', subject = ''] = line.split('\t');
      return { subject, parents: parents.split(' ').filter(Boolean).length };
    });
  }

  /** Throws when git finds anything wrong with the repository. */
  async fsck(): Promise<void> {
    await git(this.directory, ['fsck', '--strict', '--no-dangling']);
  }
}
