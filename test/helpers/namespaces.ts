import { spawnSync } from 'node:child_process';
import { startCommand } from '../../supervisor/start-command.js';

/** What the start script would hand to a supervisor here: the verdict, and why it is not a better one. */
function readVerdict(fence: 'auto' | 'sandbox'): string {
  const { file, args } = startCommand({ node: '/bin/echo', entry: 'verdict', fence });
  return spawnSync(file, args, { encoding: 'utf8' }).stdout.trim();
}

const verdict = readVerdict('auto');
const sandboxVerdict = readVerdict('sandbox');

/** Whether this machine gives namespaces, found out by the very probe that a start makes. */
export const namespacesWork = verdict === 'verdict namespace';

/** Whether it gives sandboxes as well. */
export const sandboxesWork = sandboxVerdict === 'verdict sandbox';

/** Levels at which programs of the tests are run; a sandbox only where there is one. */
export const LEVELS = ['portable', 'namespace', ...(sandboxesWork ? (['sandbox'] as const) : [])] as const;

if (!namespacesWork) console.warn(`tests of the namespace level are skipped: ${verdict}`);
if (!sandboxesWork) console.warn(`tests of the sandbox level are skipped: ${sandboxVerdict}`);
