import type { Problem } from './problem.js';

/** Something to report about a file that the caller knows: a problem without its path. */
export type Finding = Omit<Problem, 'path'>;
