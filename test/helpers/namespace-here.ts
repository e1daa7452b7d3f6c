import { spawnSync } from 'node:child_process';
import { NAMESPACE_OPTIONS } from '../../supervisor/start-command.js';

/** Whether this machine gives the namespace level at all; containers often switch user namespaces off. */
export const NAMESPACE_HERE = spawnSync('unshare', [...NAMESPACE_OPTIONS.unshare, 'true']).status === 0;

/** What a test uses of its context. */
interface Skipping {
  skip(condition: boolean, note: string): void;
}

/** Skips the test, and says why, when it needs the namespace level and this machine does not give it. */
export function needLevel(fence: string | undefined, { skip }: Skipping): void {
  skip(fence === 'namespace' && !NAMESPACE_HERE, 'this machine gives no user namespaces');
}
