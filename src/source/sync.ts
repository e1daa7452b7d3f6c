import { join } from 'node:path';
import { withLock } from '../config/exclusive-lock.js';
import type { SourceSpec } from '../config/source-spec.js';
import { describeErrno, errnoOf } from '../errors/errno.js';
import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { ToolRunner } from '../process/tool-command.js';
import { syncCommand } from './command.js';
import { Generations } from './generations.js';
import { Git } from './git.js';
import { belongsTo, syncGithub } from './github.js';
import { syncLocal } from './local.js';
import type { SyncOutcome, SyncProgress } from './source.js';

const MAX_ERROR_CHARACTERS = 500;

/** A sync makes at most about so many calls one after the other: another process may need that long. */
const CALLS_PER_SYNC = 10;

/** What syncs work with. */
export interface SyncOptions {
  /** Absolute directory of all sources' caches. */
  readonly cache: string;
  /** Made when first needed: a server that never syncs starts no supervisor for it. */
  readonly runner: () => Pick<ToolRunner, 'run'>;
  readonly variables: ReadonlyMap<string, string>;
  readonly home: string | undefined;
  /** Of each git call and each command, ms. */
  readonly timeoutMs: number;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly onProgress?: SyncProgress;
  /** Ends the calls that are running. */
  readonly signal?: AbortSignal;
}

/** The place of one source's generations. */
export function placeGenerations(cache: string, id: string): Generations {
  return new Generations(join(cache, 'sources', id));
}

/** Brings sources onto the disk. One source is synced once at a time, in this process and among all. */
export class SourceSyncer {
  readonly #options: SyncOptions;
  readonly #running = new Map<string, Promise<SyncOutcome>>();

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** How the sync ended; one that runs already is joined. Never rejects for anything that a source does. */
  sync(spec: SourceSpec): Promise<SyncOutcome> {
    // Changed specs of the same id must not share an outcome.
    const key = JSON.stringify(spec);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = this.#attempt(spec).finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  /** Deletes what was synced of a source. Throws a Refusal when that cannot be done. */
  async forget(id: string): Promise<void> {
    const generations = placeGenerations(this.#options.cache, id);
    await this.#locked(generations, () => generations.remove());
  }

  async #attempt(spec: SourceSpec): Promise<SyncOutcome> {
    const { onProgress } = this.#options;
    try {
      return await this.#sync(spec, (what) => onProgress?.(spec.id, what));
    } catch (error) {
      return this.#explain(spec, error);
    }
  }

  async #sync(spec: SourceSpec, step: (what: string) => void): Promise<SyncOutcome> {
    const { cache, variables, home, timeoutMs, now, signal } = this.#options;
    if (spec.kind === 'local') return syncLocal(spec, home);
    const generations = placeGenerations(cache, spec.id);
    const runner = this.#options.runner();
    const abort = signal === undefined ? {} : { signal };
    return this.#locked(generations, () =>
      spec.kind === 'github'
        ? syncGithub({
            spec,
            git: new Git({ runner, variables, home, timeoutMs, ...abort }),
            generations,
            now,
            step,
          })
        : syncCommand({ spec, runner, generations, variables, home, timeoutMs, now, step, ...abort }),
    );
  }

  #locked<T>(generations: Generations, work: () => Promise<T>): Promise<T> {
    return withLock(generations.directory, this.#options.timeoutMs * CALLS_PER_SYNC, work);
  }

  async #explain(spec: SourceSpec, error: unknown): Promise<SyncOutcome> {
    const message = toOneLine(redactSecrets(explain(error)), MAX_ERROR_CHARACTERS);
    if (spec.kind === 'local') return { id: spec.id, ok: false, status: 'failed', error: message };
    const cached = await placeGenerations(this.#options.cache, spec.id).current();
    const record = cached?.record;
    const isUsable =
      record !== undefined && (spec.kind === 'cli' ? record.kind === 'cli' : belongsTo(record, spec));
    if (!isUsable) return { id: spec.id, ok: false, status: 'failed', error: message };
    return {
      id: spec.id,
      ok: false,
      status: 'cached',
      ...(record.sha !== undefined && { sha: record.sha }),
      skills: record.skills.length,
      warnings: [`not synced (${message}); the copy of ${record.at} stays in use`],
      error: message,
    };
  }
}

function explain(error: unknown): string {
  if (error instanceof Refusal)
    return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
  // A full disk, a cache that is read-only: the system's word for it, without its path.
  if (errnoOf(error) !== undefined) return `the cache cannot be written: ${describeErrno(error)}`;
  throw error;
}
