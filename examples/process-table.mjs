// Looks for programs in the system's own process table, so that nobody's word has to be taken for their end.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Pids of all living processes that have `label` in their command line; undefined where that cannot be known. */
export function findProcesses(label) {
  if (process.platform === 'linux') return findInProc(label);
  if (process.platform === 'win32') return undefined;
  const table = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' });
  return table
    .split('\n')
    .filter((line) => line.includes(label))
    .map((line) => Number.parseInt(line, 10));
}

function findInProc(label) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        // A process that has ended and only waits to be reaped has an empty command line.
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(label);
      } catch {
        return false; // ended while we looked
      }
    })
    .map(Number);
}

/** Looks again and again until `wanted` processes bear the label or the time is up; returns what is there then. */
export async function waitForProcesses(label, wanted, timeoutMs) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = findProcesses(label);
    if (found === undefined || wanted(found.length) || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
