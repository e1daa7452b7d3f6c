import { toOneLine } from '../errors/sanitize.js';
import type { SyncProgress } from '../source/source.js';

/** One line on a terminal that is written over: what each sync is doing now. */
export interface ProgressLine {
  readonly show: SyncProgress;
  /** Takes a source out of the line. */
  readonly end: (id: string) => void;
  /** Leaves the terminal as it was. */
  readonly clear: () => void;
}

const CLEAR_LINE = '\r\u001b[K';

/** The line; silent where `columns` is undefined, since nobody watches a pipe. */
export function createProgressLine(write: (text: string) => void, columns: number | undefined): ProgressLine {
  const steps = new Map<string, string>();
  const draw = () => {
    if (columns === undefined) return;
    const line = [...steps].map(([id, step]) => `${id}: ${step}`).join(' · ');
    write(`${CLEAR_LINE}${toOneLine(line, Math.max(10, columns - 2))}`);
  };
  return {
    show: (id, step) => {
      steps.set(id, step);
      draw();
    },
    end: (id) => {
      steps.delete(id);
      draw();
    },
    clear: () => {
      if (columns !== undefined) write(CLEAR_LINE);
    },
  };
}
