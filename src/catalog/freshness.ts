import type { StampList } from '../skill/stamp-list.js';
import type { KeptReading } from './kept-reading.js';
import type { Turns } from './turns.js';

/**
 * Files of bundles that one check looks at beside those of the skills that are asked about: 2 to 4 µs each. Up to this
 * many in all, every check sees everything; of a larger catalog, the bundles that nobody asked about take turns.
 */
const BUNDLE_QUOTA = 1_500;

/** Files of the skills that are asked about, likewise: a page of two hundred skills may hold four hundred thousand. */
const ASKED_QUOTA = 20_000;

/** Paths or skills between two looks at the clock: a slice may last a tenth of a millisecond longer for it. */
const CLOCK_STRIDE = 32;

/** What a check found to look different. */
export interface Staleness {
  /** Something that decides which directories are skills. */
  readonly places: boolean;
  /** Directories of skills to read again. */
  readonly skills: ReadonlySet<string>;
}

/** Compares what was read with how it looks now. */
export class Freshness {
  /** Where among the skills the next turn of the bundles begins. */
  #next = 0;

  /** Looks at all places, at every SKILL.md, at the bundles of the named skills, and at some of the others. */
  async check(
    places: StampList,
    kept: readonly KeptReading[],
    names: ReadonlySet<string>,
    turns: Turns,
  ): Promise<Staleness> {
    const stale = new Set<string>();
    const arePlacesStale = await isAnyStale(places, turns);
    let left = ASKED_QUOTA;
    for (const [index, { candidate, reading }] of kept.entries()) {
      if (index % CLOCK_STRIDE === 0 && turns.isOver()) await turns.take();
      const { stamps, headLength } = reading;
      const isAsked = left > 0 && names.has(candidate.name);
      if (isAsked) left -= stamps.length;
      if (stamps.isStale(0, isAsked ? stamps.length : headLength)) stale.add(candidate.directory);
    }
    await this.#checkSome(kept, stale, turns);
    return { places: arePlacesStale, skills: stale };
  }

  async #checkSome(kept: readonly KeptReading[], stale: Set<string>, turns: Turns): Promise<void> {
    let left = BUNDLE_QUOTA;
    for (let step = 0; step < kept.length && left > 0; step++) {
      const one = kept[this.#next % kept.length];
      if (one === undefined) return;
      this.#next = (this.#next + 1) % kept.length;
      if (step % CLOCK_STRIDE === 0 && turns.isOver()) await turns.take();
      const { stamps, headLength } = one.reading;
      left -= stamps.length - headLength;
      if (stamps.isStale(headLength)) stale.add(one.candidate.directory);
    }
  }
}

async function isAnyStale(places: StampList, turns: Turns): Promise<boolean> {
  for (let start = 0; start < places.length; start += CLOCK_STRIDE) {
    if (turns.isOver()) await turns.take();
    if (places.isStale(start, Math.min(start + CLOCK_STRIDE, places.length))) return true;
  }
  return false;
}
