import { randomInt } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeErrno, errnoOf } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';

/** A holder that gave no sign of life for so long is dead, ms; it gives one every UPDATE_MS. */
const STALE_MS = 6_000;
const UPDATE_MS = 1_000;

/** Between two attempts, ms; random, so that many waiting processes do not knock all at once. */
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 150;

/** Two that find a dead holder's lock at once may both take it over; within this time that shows, ms. */
const TAKEOVER_MS = 60;

type Release = () => Promise<void>;

/** Does `work` while no other process does the same for `path`, which need not exist. Throws a Refusal after `waitMs`. */
export async function withLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const release = await acquire(path, waitMs);
  try {
    return await work();
  } finally {
    // Somebody may have taken a lock that looked stale: the work is done all the same.
    await release().catch(() => undefined);
  }
}

async function acquire(path: string, waitMs: number): Promise<Release> {
  const end = Date.now() + waitMs;
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw new Refusal(`${dirname(path)} cannot be made: ${describeErrno(error)}`);
  }
  for (;;) {
    const release = await attempt(path);
    if (release !== undefined) return release;
    if (Date.now() >= end) {
      throw new Refusal(`${path} is in use by another process`, { hint: 'try again in a moment' });
    }
    await setTimeout(randomInt(RETRY_MIN_MS, RETRY_MAX_MS));
  }
}

/** Undefined while somebody else holds the lock. */
async function attempt(path: string): Promise<Release | undefined> {
  // Only when it is needed: on being loaded it listens to every signal of the process.
  const { lock } = await import('proper-lockfile');
  const marker = `${path}.lock`;
  const before = await stat(marker).catch(() => undefined);
  let release: Release;
  try {
    release = await lock(path, {
      realpath: false,
      lockfilePath: marker,
      stale: STALE_MS,
      update: UPDATE_MS,
      retries: 0,
      onCompromised: () => undefined,
    });
  } catch (error) {
    if (errnoOf(error) === 'ELOCKED') return undefined;
    throw new Refusal(`${path} cannot be locked: ${describeErrno(error)}`);
  }
  if (before === undefined) return release;
  const own = await identify(marker);
  await setTimeout(TAKEOVER_MS);
  // Whoever came last holds it. Releasing would free the other's lock, so it is left alone.
  return (await identify(marker)) === own ? release : undefined;
}

async function identify(marker: string): Promise<string> {
  const found = await stat(marker, { bigint: true }).catch(() => undefined);
  return found === undefined ? 'gone' : `${found.ino}:${found.birthtimeNs}:${found.mtimeNs}`;
}
