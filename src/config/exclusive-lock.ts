import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeErrno, errnoOf } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';

/** A holder that gave no sign of life for so long is dead, ms; it gives one every UPDATE_MS. */
const STALE_MS = 6_000;
const UPDATE_MS = 1_000;

/** Between two attempts, ms; random, so that many waiting processes do not knock all at once. */
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 150;

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

async function acquire(path: string, waitMs: number): Promise<() => Promise<void>> {
  const end = Date.now() + waitMs;
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw new Refusal(`${dirname(path)} cannot be made: ${describeErrno(error)}`);
  }
  // Only when it is needed: on being loaded it listens to every signal of the process.
  const { lock } = await import('proper-lockfile');
  for (;;) {
    try {
      return await lock(path, {
        realpath: false,
        stale: STALE_MS,
        update: UPDATE_MS,
        retries: 0,
        onCompromised: () => undefined,
      });
    } catch (error) {
      if (errnoOf(error) !== 'ELOCKED')
        throw new Refusal(`${path} cannot be locked: ${describeErrno(error)}`);
      if (Date.now() >= end) {
        throw new Refusal(`${path} is in use by another process`, { hint: 'try again in a moment' });
      }
      const jitter = randomBytes(1).readUInt8() / 255;
      await new Promise((resolve) =>
        setTimeout(resolve, RETRY_MIN_MS + jitter * (RETRY_MAX_MS - RETRY_MIN_MS)),
      );
    }
  }
}
