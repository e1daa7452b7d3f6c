import { readdirSync, readFileSync } from 'node:fs';

/** An argument that marks processes of one test: `sleep` takes it as a further, tiny, number of seconds. */
export function makeMark(): string {
  const digits = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
  return `0.00${digits}`;
}

/** Numbers of living processes (no zombies) whose arguments or variables hold this text. */
export function findTraces(...texts: string[]): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || isGone(pid)) return [];
    const traces = read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`);
    return texts.some((text) => traces.includes(text)) ? [pid] : [];
  });
}

/** The `sleep`s among them: a program that ends in one has made its preparations. */
export function findSleepers(mark: string): number[] {
  return findTraces(mark).filter((pid) => read(`/proc/${pid}/comm`).trim() === 'sleep');
}

/** No such process, or one that only waits to be reaped. */
export function isGone(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Polls until the condition holds; throws after so many ms. */
export async function eventually(condition: () => boolean, what: string, budgetMs = 10_000): Promise<void> {
  const end = Date.now() + budgetMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not within ${budgetMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
