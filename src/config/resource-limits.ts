import type { ResourceLimits } from '../../supervisor/index.js';

/** Bounds in bytes may be written with a unit. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
]);

const BYTES = ['data', 'fsize', 'memory'] as const;
const COUNTS = ['nofile', 'cpu', 'nproc', 'pids'] as const;
type Bound = keyof ResourceLimits;

/** Reads `data=256M,nofile=256`; returns what is wrong with it as the end of a sentence. */
export function readResourceLimits(text: string): ResourceLimits | string {
  const limits: Partial<Record<Bound, number>> = {};
  for (const entry of text.split(',')) {
    const [, name = '', digits = '', unit = ''] = /^\s*([a-z]+)=(\d{1,15})([kmg]?)\s*$/i.exec(entry) ?? [];
    const bound = [...BYTES, ...COUNTS].find((candidate) => candidate === name);
    const takesUnit = BYTES.some((candidate) => candidate === name);
    const value = Number(digits) * (UNITS.get(unit.toLowerCase()) ?? 0);
    if (bound === undefined || (unit !== '' && !takesUnit) || !(value > 0) || !Number.isSafeInteger(value)) {
      return `must read name=number, separated by commas; names are ${[...BYTES, ...COUNTS].join(', ')}`;
    }
    if (limits[bound] !== undefined) return `names ${bound} twice`;
    limits[bound] = value;
  }
  return limits;
}
