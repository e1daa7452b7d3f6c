import type { FenceLevel } from '../../../supervisor/index.js';

/** What each level promises, in the words that the doctor prints; strongest first. */
export const GUARANTEES: readonly (readonly [FenceLevel, string])[] = [
  [
    'sandbox',
    'as namespace; a script also sees only the system, its skill (read-only), the granted folders and a private /tmp, ' +
      'and has no network unless its skill declares egress',
  ],
  [
    'namespace',
    'nothing of a run survives its end or ours; a script cannot see this server, but the files and the network of ' +
      'the user',
  ],
  [
    'portable',
    'the group of a run and whatever carries its mark is ended; a daemon that wiped its environment can survive',
  ],
];
