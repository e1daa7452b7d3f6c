/** Shares left out at both ends: what remains holds the truth in 95 of 100 cases. */
const TAIL = 0.025;

// Any seed does; a fixed one makes two runs over the same outcomes print the same numbers.
const SEED = 20_240_229;

/**
 * A 95 % interval for the share of true marks: how it varies when as many marks are drawn again with repetition,
 * `rounds` times. [0, 0] without marks.
 */
export function resample(marks: readonly boolean[], rounds: number): readonly [number, number] {
  if (marks.length === 0) return [0, 0];
  const random = makeRandom(SEED);
  const shares = Array.from({ length: rounds }, () => {
    let hits = 0;
    for (let draw = 0; draw < marks.length; draw++) {
      if (marks[Math.floor(random() * marks.length)]) hits += 1;
    }
    return hits / marks.length;
  }).sort((a, b) => a - b);
  return [shareAt(shares, TAIL), shareAt(shares, 1 - TAIL)];
}

function shareAt(sorted: readonly number[], position: number): number {
  const index = Math.min(sorted.length - 1, Math.floor(position * sorted.length));
  return Math.round((sorted[index] ?? 0) * 1_000) / 1_000;
}

/** Numbers from 0 to below 1 by the mulberry32 recurrence. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
