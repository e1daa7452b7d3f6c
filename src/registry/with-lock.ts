import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';

/** How long another process's installation is waited for, ms. */
const WAIT_MS = 15_000;
/** An owner that has not finished by then has died, ms. */
const ABANDONED_MS = 60_000;
const POLL_MS = 50;

/** Runs `work` while no other process does the same for that file. Throws a Refusal when it does not become free. */
export async function withLock<Result>(
  file: string,
  now: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const deadline = now() + WAIT_MS;
  while (!(await take(lock, now))) {
    if (now() > deadline) {
      throw new Refusal(`${lock} is held by another process`, { hint: 'remove it if there is none' });
    }
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string, now: () => number): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    const found = await stat(lock).catch(() => undefined);
    if (found !== undefined && now() - found.mtimeMs > ABANDONED_MS) await rm(lock, { force: true });
    return false;
  }
}
