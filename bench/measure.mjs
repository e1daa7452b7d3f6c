// What every row of the benchmark shares: medians, interleaving, the process table.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Middle value of an unsorted list. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Runs the variants in turns, so that a busy minute of the machine hits all of them alike; medians in ms. */
export async function measureInTurns(variants, rounds) {
  const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(variants)) {
      const start = performance.now();
      await run();
      times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

/** Pids whose parent is `parent` and whose command line holds `word`. Linux only. */
export function findChildren(parent, word) {
  const found = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(ppid) !== parent || state === 'Z') continue;
      if (readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(word)) found.push(Number(entry));
    } catch {
      // Gone between the listing and the look.
    }
  }
  return found;
}

/** One memory field of /proc/PID/status in MiB: VmRSS (now) or VmHWM (peak). */
export function memoryMiB(pid, field) {
  const match = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
  return Math.round(Number(match?.[1] ?? Number.NaN) / 1024);
}

/** Waits until `isTrue` holds, at most `limitMs`; returns the ms it took, or undefined. */
export async function waitUntil(isTrue, limitMs) {
  const start = performance.now();
  while (performance.now() - start < limitMs) {
    if (await isTrue()) return performance.now() - start;
    await sleep(5);
  }
  return undefined;
}
