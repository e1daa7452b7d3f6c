import { createHash } from 'node:crypto';

/** The modes of a regular file in a git tree; every other kind of entry is refused by this program. */
export const FILE_MODE = '100644';
export const EXECUTABLE_MODE = '100755';
export type FileMode = typeof FILE_MODE | typeof EXECUTABLE_MODE;

/** Mode of a directory, as GitHub writes it; git itself hashes it without the leading zero. */
export const DIRECTORY_MODE = '040000';

/** One name of a git tree. */
export interface TreeName {
  readonly path: string;
  readonly mode: string;
  /** 40 hexadecimal digits. */
  readonly sha: string;
}

/** The SHA-1 that git gives these bytes. */
export function hashBlob(bytes: Uint8Array): string {
  return hashObject('blob', bytes);
}

/** The SHA-1 of a tree with these names, which are plain and unique. */
export function hashTree(names: readonly TreeName[]): string {
  const rows = names.map((name) => ({ ...name, key: sortKey(name) }));
  rows.sort((a, b) => Buffer.compare(a.key, b.key));
  const parts = rows.map(({ path, mode, sha }) =>
    Buffer.concat([Buffer.from(`${mode.replace(/^0/, '')} ${path}\0`), Buffer.from(sha, 'hex')]),
  );
  return hashObject('tree', Buffer.concat(parts));
}

/** The SHA-1 of the tree that holds files at these paths, directories made as needed. */
export function hashFiles(files: Iterable<TreeName>): string {
  const names: TreeName[] = [];
  const folders = new Map<string, TreeName[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/');
    if (slash === -1) {
      names.push(file);
      continue;
    }
    const folder = file.path.slice(0, slash);
    const below = folders.get(folder) ?? [];
    below.push({ ...file, path: file.path.slice(slash + 1) });
    folders.set(folder, below);
  }
  for (const [path, below] of folders) names.push({ path, mode: DIRECTORY_MODE, sha: hashFiles(below) });
  return hashTree(names);
}

/** git compares bytes, and a directory's name as if it ended with a slash. */
function sortKey({ path, mode }: TreeName): Buffer {
  return Buffer.from(mode === DIRECTORY_MODE ? `${path}/` : path);
}

function hashObject(type: 'blob' | 'tree', bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
