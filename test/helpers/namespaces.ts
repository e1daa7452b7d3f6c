import { spawnSync } from 'node:child_process';
import { startCommand } from '../../supervisor/start-command.js';

/** What the start script would hand to a supervisor here: the verdict, and why it is not a better one. */
function readVerdict(): string {
  const { file, args } = startCommand({ node: '/bin/echo', entry: 'verdict', fence: 'auto' });
  return spawnSync(file, args, { encoding: 'utf8' }).stdout.trim();
}

/** Whether this machine gives namespaces, found out by the very probe that a start makes. */
export const namespacesWork = readVerdict() === 'verdict namespace';

if (!namespacesWork) {
  console.warn(`tests of the namespace level are skipped: ${readVerdict()}`);
}
