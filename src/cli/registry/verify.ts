import { resolve } from 'node:path';
import { verifyCopies, verifyLock } from '../../registry/verify-copies.js';
import { readOption, type Subcommand } from './subcommand.js';

/** `skill-mcp registry verify`: hashes what lies on this machine; asks nobody. */
export const verify: Subcommand = {
  name: 'verify',
  shape: 'verify [--lock FILE]',
  summary: 'hash every fetched copy, or with --lock every installed skill; needs no network',
  options: { lock: { type: 'string' } },
  positionals: [],
  run: async ({ settings, cwd, say }, _positionals, options) => {
    const lock = readOption(options, 'lock');
    const { checked, harmed } =
      lock === undefined ? await verifyCopies(settings.cacheDirectory) : await verifyLock(resolve(cwd, lock));
    for (const line of harmed) say(line);
    const what = lock === undefined ? 'copies' : 'installed skills';
    const text =
      harmed.length === 0 ? `${checked} ${what}, all whole` : `${checked} ${what}, ${harmed.length} faults`;
    return { text, json: { checked, harmed }, exitCode: harmed.length === 0 ? 0 : 1 };
  },
};
