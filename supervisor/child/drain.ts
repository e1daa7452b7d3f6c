import type { Capture } from './capture.js';
import { settlesWithin } from './deadline.js';

/** Output that is still in the pipes arrives within this; then silence means that nobody writes, ms. */
const SILENCE_MS = 250;

/** A chattering process that we cannot see holds a result back no longer than this, ms. */
const DRAIN_LIMIT_MS = 1000;

/** How often silence is looked for, ms. */
const LOOK_MS = 50;

/** Waits for the rest of the output: to its end, to a silence, or to a limit, whichever comes first. */
export async function drain(captures: readonly Capture[], limitMs: number): Promise<void> {
  const ended = Promise.all(captures.map((capture) => capture.ended));
  const start = performance.now();
  const end = start + Math.min(DRAIN_LIMIT_MS, limitMs);
  let bytes = countBytes(captures);
  let lastData = start;
  while (!(await settlesWithin(ended, LOOK_MS))) {
    const now = performance.now();
    const seen = countBytes(captures);
    if (seen !== bytes) {
      bytes = seen;
      lastData = now;
    }
    if (now - lastData >= SILENCE_MS || now >= end) return;
  }
}

function countBytes(captures: readonly Capture[]): number {
  return captures.reduce((sum, capture) => sum + capture.total, 0);
}
