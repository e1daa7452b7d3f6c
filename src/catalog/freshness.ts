import type { StampList } from '../skill/stamp-list.js';
import type { KeptReading } from './kept-reading.js';
import type { Turns } from './turns.js';

/**
 * Files of bundles that one check looks at beside those of the skills that are asked about: 2 µs each. Up to this many
 * in all, every check sees everything; of a larger catalog, the bundles that nobody asked about take turns.
 */
const BUNDLE_QUOTA = 2_500;

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
    readings: ReadonlyMap<string, KeptReading>,
    names: ReadonlySet<string>,
    turns: Turns,
  ): Promise<Staleness> {
    const skills = new Set<string>();
    const arePlacesStale = places.isStale();
    for (const [directory, { candidate, reading }] of readings) {
      if (turns.isOver()) await turns.take();
      const { stamps, headLength } = reading;
      const end = names.has(candidate.name) ? stamps.length : headLength;
      if (stamps.isStale(0, end)) skills.add(directory);
    }
    await this.#checkSome([...readings], skills, turns);
    return { places: arePlacesStale, skills };
  }

  async #checkSome(
    readings: readonly (readonly [string, KeptReading])[],
    stale: Set<string>,
    turns: Turns,
  ): Promise<void> {
    const start = this.#next;
    let left = BUNDLE_QUOTA;
    for (let step = 0; step < readings.length && left > 0; step++) {
      const entry = readings[(start + step) % readings.length];
      if (entry === undefined) return;
      if (turns.isOver()) await turns.take();
      const [directory, { reading }] = entry;
      left -= reading.stamps.length - reading.headLength;
      if (reading.stamps.isStale(reading.headLength)) stale.add(directory);
      this.#next = (start + step + 1) % readings.length;
    }
  }
}
