import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeErrno } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { type CopyFile, writeFiles } from './copy-store.js';
import { hashFolder } from './hash-folder.js';
import {
  comparePin,
  LOCK_FILE,
  type LockContent,
  type Pin,
  readLockFile,
  sha256,
  writeLockFile,
} from './lock-file.js';
import { type Provenance, writeProvenance } from './provenance.js';
import type { FetchedSkill } from './read-skill.js';
import { quote } from './slug.js';
import { withLock } from './with-lock.js';

export interface InstallRequest {
  readonly skill: FetchedSkill;
  /** Folder that gets the skill's folder; absolute. */
  readonly directory: string;
  /** Address of the repository, https. */
  readonly repo: string;
  /** refs/heads/… or refs/tags/…. */
  readonly ref: string;
  /** What was asked for, when it was not the newest. */
  readonly pinned?: string | undefined;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** What was installed where. */
export interface Installed {
  readonly path: string;
  readonly lockFile: string;
  readonly treeSha: string;
}

/**
 * Copies a verified skill to its place, says in its SKILL.md where it comes from, and records its bytes in the lock
 * file. Throws a Refusal where something stands that was not installed so, or was changed since.
 */
export async function installSkill(request: InstallRequest): Promise<Installed> {
  const { skill, directory, repo, ref } = request;
  const target = join(directory, skill.slug);
  const lockFile = join(dirname(directory), LOCK_FILE);
  const files = await readCopy(request);
  const pin: Pin = {
    repo,
    path: skill.slug,
    ref,
    treeSha: skill.treeSha,
    files: Object.fromEntries(files.map(({ path, bytes }) => [path, sha256(bytes)])),
  };
  try {
    await withLock(lockFile, request.now, async () => {
      const lock = await readLockFile(lockFile);
      const key = `${basename(directory)}/${skill.slug}`;
      await requireReplaceable(lockFile, lock, key, target);
      await exchange(directory, target, files);
      await writeLockFile(lockFile, { version: 1, skills: { ...lock.skills, [key]: pin } });
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${quote(target)} cannot be written: ${describeErrno(error)}`);
  }
  return { path: target, lockFile, treeSha: skill.treeSha };
}

async function readCopy({ skill, repo, ref, pinned }: InstallRequest): Promise<CopyFile[]> {
  const found = await hashFolder(skill.path);
  if (found.state !== 'whole' || found.treeSha !== skill.treeSha) {
    throw new Refusal(`the copy ${skill.path} changed while it was installed`, { hint: 'try again' });
  }
  const provenance: Provenance = {
    'github-repo': repo,
    'github-path': skill.slug,
    'github-ref': ref,
    'github-tree-sha': skill.treeSha,
    ...(pinned !== undefined && { 'github-pinned': pinned }),
  };
  return Promise.all(
    found.files.map(async ({ path, mode }) => {
      const bytes = await readFile(join(skill.path, path));
      return { path, mode, bytes: path === 'SKILL.md' ? writeProvenance(bytes, provenance) : bytes };
    }),
  );
}

async function requireReplaceable(
  lockFile: string,
  { skills }: LockContent,
  key: string,
  target: string,
): Promise<void> {
  if ((await lstat(target).catch(() => undefined)) === undefined) return;
  const pin = Object.hasOwn(skills, key) ? skills[key] : undefined;
  if (pin === undefined) {
    throw new Refusal(`${quote(target)} is there already and was not installed by this program`, {
      hint: 'move it away, or install elsewhere with --to',
    });
  }
  const differences = await comparePin(lockFile, key, pin);
  if (differences.length > 0) {
    throw new Refusal(
      `${quote(target)} was changed since it was installed: ${differences.slice(0, 5).join(', ')}`,
      {
        hint: 'publish or move your changes away first',
      },
    );
  }
}

/** The old folder steps aside before the new one comes, and back when that fails: there is never half a skill. */
async function exchange(directory: string, target: string, files: readonly CopyFile[]): Promise<void> {
  const unfinished = join(directory, `.${basename(target)}.${randomUUID()}`);
  const aside = `${unfinished}.old`;
  await mkdir(directory, { recursive: true });
  try {
    await writeFiles(unfinished, files);
    const hadOld = await rename(target, aside).then(
      () => true,
      () => false,
    );
    try {
      await rename(unfinished, target);
    } catch (error) {
      if (hadOld) await rename(aside, target);
      throw error;
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(aside, { recursive: true, force: true });
  }
}
