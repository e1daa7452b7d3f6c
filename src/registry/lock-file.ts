import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { describeErrno, isAbsent } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { hashFolder } from './hash-folder.js';
import { writeAtomically } from './write-atomically.js';

/** The lock file's name; it stands beside the folder that skills are installed into. */
export const LOCK_FILE = 'skill-mcp.lock.json';

const Pin = z.object({
  /** Address of the repository. */
  repo: z.string(),
  /** Folder of the skill in the repository. */
  path: z.string(),
  /** refs/heads/… or refs/tags/…. */
  ref: z.string(),
  treeSha: z.string().regex(/^[0-9a-f]{40}$/),
  /** Path in the installed folder → sha256. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
/** What was installed, and exactly which bytes. */
export type Pin = z.infer<typeof Pin>;

const LockContent = z.object({
  version: z.literal(1),
  /** Installed folder, relative to the lock file, with `/`. */
  skills: z.record(z.string(), Pin),
});
export type LockContent = z.infer<typeof LockContent>;

/** Reads a lock file; a missing one is empty. Throws a Refusal for one that is there and cannot be read. */
export async function readLockFile(file: string): Promise<LockContent> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return { version: 1, skills: {} };
    throw new Refusal(`${file} cannot be read: ${describeErrno(error)}`);
  }
  try {
    return LockContent.parse(JSON.parse(text));
  } catch {
    throw new Refusal(`${file} is no lock file of this program`);
  }
}

/** Writes a lock file as a whole, skills sorted by their folder: it is meant to be committed. */
export async function writeLockFile(file: string, { version, skills }: LockContent): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(skills).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeAtomically(file, `${JSON.stringify({ version, skills: sorted }, null, 2)}\n`);
}

/** sha256 of bytes as lock files hold it. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What differs between an installed folder and its pin, one phrase each; nothing when it is as it was installed. */
export async function comparePin(lockFile: string, folder: string, pin: Pin): Promise<string[]> {
  const base = dirname(resolve(lockFile));
  const absolute = resolve(base, folder);
  if (!absolute.startsWith(base + sep)) return [`${folder} lies outside of the lock file's folder`];
  const found = await hashFolder(absolute);
  if (found.state === 'absent') return [`${folder} is missing`];
  if (found.state === 'harmed') return [`${folder}: ${found.reason}`];
  const present = new Set(found.files.map(({ path }) => path));
  const differences: string[] = [];
  for (const [path, digest] of Object.entries(pin.files)) {
    if (!present.delete(path)) differences.push(`${folder}/${path} is missing`);
    else if (sha256(await readFile(join(absolute, path))) !== digest)
      differences.push(`${folder}/${path} has changed`);
  }
  for (const path of present) differences.push(`${folder}/${path} was added`);
  return differences;
}
