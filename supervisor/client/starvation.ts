import { readFileSync } from 'node:fs';

/** Linux counts a process's time in ticks of this length whatever the kernel's own clock, ms. */
const TICK_MS = 10;

/** A runnable process that got less than this share of the time could not have answered. */
const FAIR_SHARE = 0.2;

/** Fields of /proc/PID/stat behind the command's name. */
const STATE = 0;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/**
 * Tells a child that gets no processor from one that hangs: on a crowded machine silence proves nothing. A stopped,
 * sleeping or looping child is never excused; where there is no /proc, nobody is.
 */
export class StarvationWatch {
  readonly #pid: number | undefined;
  #since = 0;
  #ticks = 0;

  constructor(pid: number | undefined) {
    this.#pid = pid;
  }

  /** From here on the time counts. */
  begin(): void {
    this.#since = performance.now();
    this.#ticks = this.#read()?.ticks ?? 0;
  }

  /** True when the child has wanted the processor since `begin` and hardly got it. */
  isStarving(): boolean {
    const now = this.#read();
    if (now?.state !== 'R') return false;
    const share = ((now.ticks - this.#ticks) * TICK_MS) / (performance.now() - this.#since);
    return share < FAIR_SHARE;
  }

  #read(): { state: string; ticks: number } | undefined {
    if (this.#pid === undefined) return undefined;
    try {
      const line = readFileSync(`/proc/${this.#pid}/stat`, 'latin1');
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
      return { state: fields[STATE] ?? '', ticks };
    } catch {
      return undefined;
    }
  }
}
