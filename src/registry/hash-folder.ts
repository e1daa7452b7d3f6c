import { lstat, opendir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTABLE_MODE, FILE_MODE, hashBlob, hashFiles, type TreeName } from './git-hash.js';
import { MAX_FILES, MAX_FOLDER_BYTES } from './payload.js';

/** What stands on the disk where a verified copy should be. */
export type FolderState =
  | { readonly state: 'absent' }
  | { readonly state: 'harmed'; readonly reason: string }
  | { readonly state: 'whole'; readonly files: readonly TreeName[]; readonly treeSha: string };

/** Owner's execute bit: the one that git looks at. */
const OWNER_EXECUTE = 0o100;

/** Hashes every file of a folder, modes included. Never throws. */
export async function hashFolder(folder: string): Promise<FolderState> {
  try {
    if (!(await lstat(folder)).isDirectory()) return { state: 'harmed', reason: 'it is no directory' };
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? { state: 'absent' } : { state: 'harmed', reason: 'it cannot be read' };
  }
  try {
    const files = await listFolder(folder);
    return { state: 'whole', files, treeSha: hashFiles(files) };
  } catch (error) {
    return { state: 'harmed', reason: error instanceof Harmed ? error.message : 'it cannot be read' };
  }
}

class Harmed extends Error {}

async function listFolder(folder: string): Promise<TreeName[]> {
  const rows: TreeName[] = [];
  let bytes = 0;
  const walk = async (prefix: string): Promise<void> => {
    for await (const { name } of await opendir(join(folder, prefix))) {
      const path = prefix === '' ? name : `${prefix}/${name}`;
      const found = await lstat(join(folder, path));
      if (found.isDirectory()) await walk(path);
      else if (!found.isFile()) throw new Harmed(`${path} is neither a file nor a folder`);
      else {
        bytes += found.size;
        if (rows.length >= MAX_FILES || bytes > MAX_FOLDER_BYTES) throw new Harmed('it has grown');
        const mode = (found.mode & OWNER_EXECUTE) === 0 ? FILE_MODE : EXECUTABLE_MODE;
        rows.push({ path, mode, sha: hashBlob(await readFile(join(folder, path))) });
      }
    }
  };
  await walk('');
  return rows;
}
