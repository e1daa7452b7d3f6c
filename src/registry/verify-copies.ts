import type { Dirent } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeErrno, isAbsent } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { hashFolder } from './hash-folder.js';
import { comparePin, readLockFile } from './lock-file.js';
import { isTreeSha } from './version.js';

/** What a look through all copies found. */
export interface Verification {
  readonly checked: number;
  /** One line each. */
  readonly harmed: readonly string[];
}

/** Hashes every copy in the cache, of every registry; nothing is asked of GitHub and nothing is changed. */
export async function verifyCopies(cacheDirectory: string): Promise<Verification> {
  // <host>/<owner>/<repo>/<slug>/<tree>
  let folders = [cacheDirectory];
  for (let level = 0; level < 5; level++) {
    const below = await Promise.all(folders.map((folder) => listNames(folder)));
    folders = folders.flatMap((folder, index) => (below[index] ?? []).map((name) => join(folder, name)));
  }
  // Others keep things in the same cache: a copy is called like a tree.
  folders = folders.filter((folder) => isTreeSha(basename(folder)));
  const harmed: string[] = [];
  for (const folder of folders) {
    const found = await hashFolder(folder);
    const isWhole = found.state === 'whole' && folder.endsWith(`/${found.treeSha}`);
    if (!isWhole) harmed.push(`${folder}: ${found.state === 'harmed' ? found.reason : 'its files differ'}`);
  }
  return { checked: folders.length, harmed };
}

/** Compares every installed folder of a lock file with its pin. Throws a Refusal when the file cannot be read. */
export async function verifyLock(lockFile: string): Promise<Verification> {
  // A missing lock file is an empty one for an installation, and nothing to be verified here.
  await access(lockFile).catch((error: unknown) => {
    throw new Refusal(`${lockFile} cannot be read: ${describeErrno(error)}`);
  });
  const { skills } = await readLockFile(lockFile);
  const rows = Object.entries(skills);
  const harmed: string[] = [];
  for (const [folder, pin] of rows) harmed.push(...(await comparePin(lockFile, folder, pin)));
  return { checked: rows.length, harmed };
}

async function listNames(folder: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw new Refusal(`${folder} cannot be read: ${describeErrno(error)}`);
  }
  return entries.filter((entry) => !entry.name.startsWith('.') && !entry.isFile()).map(({ name }) => name);
}
