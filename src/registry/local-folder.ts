import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { describeErrno } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { readCapped } from '../skill/read-capped.js';
import { isInside } from '../skill/safe-path.js';
import { EXECUTABLE_MODE, FILE_MODE } from './git-hash.js';
import {
  checkCount,
  checkFileSize,
  MAX_FOLDER_BYTES,
  makeFile,
  type Payload,
  type PayloadFile,
  requireSkillMd,
} from './payload.js';
import { checkPaths } from './payload-path.js';
import { quote } from './slug.js';

/** Deepest folder that is walked: GitHub's own advice for a repository is 50. */
const MAX_DEPTH = 50;

/** Any of the three execute bits. */
const EXECUTE_BITS = 0o111;

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly isExecutable: boolean;
}

interface Walk {
  readonly root: string;
  readonly found: FoundFile[];
  readonly skipped: string[];
}

/** Reads a skill from a folder on the disk. Throws a Refusal naming the file or the limit; opens no special file. */
export async function readLocalFolder(folder: string, maxFileBytes: number): Promise<Payload> {
  if (!isAbsolute(folder)) throw new Refusal('local_folder must be an absolute path');
  const root = await openFolder(folder);
  const walk: Walk = { root, found: [], skipped: [] };
  await walkFolder(walk, '', 0);
  walk.found.sort((a, b) => (a.path < b.path ? -1 : 1));
  checkPaths(walk.found.map(({ path }) => path));
  let total = 0;
  for (const { path, size } of walk.found) {
    checkFileSize(path, size, maxFileBytes);
    total += size;
  }
  if (total > MAX_FOLDER_BYTES) {
    throw new Refusal(`the folder holds ${total} bytes, at most ${MAX_FOLDER_BYTES}`);
  }
  const files = new Map<string, PayloadFile>();
  for (const file of walk.found) files.set(file.path, await readOne(root, file, maxFileBytes));
  requireSkillMd(files);
  return { files, skipped: walk.skipped.sort() };
}

async function openFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new Refusal(`local_folder ${quote(folder)}: ${describeErrno(error)}`);
  }
  throw new Refusal(`local_folder ${quote(folder)} is no directory`);
}

async function walkFolder(walk: Walk, prefix: string, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new Refusal(`${quote(prefix)} lies deeper than ${MAX_DEPTH} folders`);
  let entries: Awaited<ReturnType<typeof opendir>>;
  try {
    entries = await opendir(join(walk.root, prefix));
  } catch (error) {
    throw new Refusal(`${quote(prefix || '.')} cannot be read: ${describeErrno(error)}`);
  }
  for await (const { name } of entries) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    if (name.startsWith('.') || name === '__pycache__') walk.skipped.push(path);
    else await walkEntry(walk, path, depth);
  }
}

async function walkEntry(walk: Walk, path: string, depth: number): Promise<void> {
  const full = join(walk.root, path);
  let isLink: boolean;
  let target: Awaited<ReturnType<typeof stat>>;
  let real: string;
  try {
    isLink = (await lstat(full)).isSymbolicLink();
    target = await stat(full);
    real = await realpath(full);
  } catch (error) {
    throw new Refusal(`${quote(path)} cannot be read: ${describeErrno(error)}`);
  }
  if (isLink && !isInside(walk.root, real))
    throw new Refusal(`the link ${quote(path)} leads out of the folder`);
  if (target.isDirectory()) {
    // A link to a folder above would be walked for ever; to one beside, published twice.
    if (isLink) walk.skipped.push(path);
    else await walkFolder(walk, path, depth + 1);
  } else if (target.isFile()) {
    walk.found.push({ path, size: target.size, isExecutable: (target.mode & EXECUTE_BITS) !== 0 });
    checkCount(walk.found.length);
  } else walk.skipped.push(path);
}

async function readOne(root: string, file: FoundFile, maxFileBytes: number): Promise<PayloadFile> {
  const read = await readCapped(root, file.path, maxFileBytes);
  if ('fault' in read) {
    throw new Refusal(`${quote(file.path)} cannot be read: ${'errno' in read ? read.errno : read.fault}`);
  }
  if (read.truncated || read.size !== file.size) {
    throw new Refusal(`${quote(file.path)} changes while it is read`, { hint: 'try again' });
  }
  return makeFile(read.bytes, file.isExecutable ? EXECUTABLE_MODE : FILE_MODE);
}
