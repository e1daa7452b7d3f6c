import type { StartFault } from '../../registry/registry-service.js';

export const EXIT_DONE = 0;
/** Something failed; the reason is on stderr. */
export const EXIT_FAILURE = 1;
/** The command line or the configuration cannot be understood. */
export const EXIT_USAGE = 2;

/** What a start in vain ends with, for the server and for the subcommands alike. */
export const EXIT_CODES: Readonly<Record<StartFault, number>> = Object.freeze({
  config: EXIT_USAGE,
  'no-gh': 3,
  'no-login': 4,
});
