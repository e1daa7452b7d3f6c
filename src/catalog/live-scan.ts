import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Listings } from '../skill/listings.js';
import { Freshness } from './freshness.js';
import { type Scan, type ScanSettings, scanRoots } from './scan-roots.js';
import { Turns } from './turns.js';

// A file that is being saved is empty or half there for some milliseconds; a skill that has just been touched and is
// broken is looked at again after this pause, at most this often.
const SAVING_PAUSE_MS = 60;
const SAVING_LOOKS = 3;

const NOTHING: ReadonlySet<string> = new Set();

/** A scan that is brought up to date by reading only what looks different. One call at a time. */
export class LiveScan {
  readonly #settings: ScanSettings;
  readonly #now: () => number;
  readonly #isStopped: () => boolean;
  readonly #listings: Listings;
  readonly #freshness = new Freshness();
  #scan: Scan | undefined;

  constructor(settings: ScanSettings, now: () => number, isStopped: () => boolean) {
    this.#settings = settings;
    this.#now = now;
    this.#isStopped = isStopped;
    this.#listings = new Listings(now);
  }

  /** The scan as it is now, the very same when nothing has changed; `names` are looked at most closely. Never rejects. */
  async refresh(names: ReadonlySet<string>): Promise<Scan> {
    const turns = new Turns();
    const previous = this.#scan;
    if (previous === undefined) {
      this.#scan = await this.#read(turns, undefined, NOTHING);
      return this.#scan;
    }
    if (this.#isStopped()) return previous;
    // The check itself does not wait for anything: a disk that does not answer must be found out by somebody who does.
    await Promise.all(this.#settings.roots.map((root) => stat(root).catch(() => undefined)));
    const stale = await this.#freshness.check(previous.places, previous.kept, names, turns);
    if (!stale.places && stale.skills.size === 0) return previous;
    let scan = await this.#read(turns, previous, stale.skills);
    for (let looks = 0; looks < SAVING_LOOKS && !this.#isStopped(); looks++) {
      const unsure = findBeingSaved(previous, scan);
      if (unsure === undefined) break;
      await setTimeout(SAVING_PAUSE_MS);
      scan = await this.#read(turns, scan, unsure);
    }
    this.#scan = scan;
    return scan;
  }

  #read(turns: Turns, previous: Scan | undefined, stale: ReadonlySet<string>): Promise<Scan> {
    return scanRoots(this.#settings, {
      listings: this.#listings,
      now: this.#now,
      isStopped: this.#isStopped,
      turns,
      previous,
      stale,
    });
  }
}

/** Directories that were touched a moment ago and are no skill now; undefined when there is none. */
function findBeingSaved(before: Scan, now: Scan): ReadonlySet<string> | undefined {
  const broken = [...now.readings].filter(
    ([, { reading }]) => reading.skill === undefined && !reading.stamps.isSettled,
  );
  const isOneGone =
    !now.places.isSettled && [...before.readings.keys()].some((directory) => !now.readings.has(directory));
  if (broken.length === 0 && !isOneGone) return undefined;
  return new Set(broken.map(([directory]) => directory));
}
