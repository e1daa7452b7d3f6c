import { toOneLine } from '../../errors/sanitize.js';
import type { Log } from '../../mcp/log.js';
import type { RegistryService, StartState } from '../../registry/registry-service.js';
import { EXIT_CODES, EXIT_FAILURE } from './exit-codes.js';

const MAX_LINE = 2_000;

interface StartWatch {
  /** The registry is all that this server offers. */
  readonly isAlone: boolean;
  readonly log: Log;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
}

/** Says on stderr why the start was in vain, whatever the level of the log; returns the code that tells it apart. */
export function failStart(state: StartState, stderr: StartWatch['stderr']): number {
  stderr.write(`skill-mcp: ${toOneLine(state.message ?? 'the start failed', MAX_LINE)}\n`);
  return state.fault === undefined ? EXIT_FAILURE : EXIT_CODES[state.fault];
}

/** Asks GitHub in the background. Resolves with an exit code only where a server of nothing else has no login. */
export function watchStart(service: RegistryService | undefined, watch: StartWatch): Promise<number> {
  const { isAlone, log, stderr } = watch;
  return new Promise((resolve, reject) => {
    if (service === undefined) return;
    service.start().then((state) => {
      if (state.message === undefined) return;
      if (isAlone && state.fault !== undefined) resolve(failStart(state, stderr));
      else log.warn(`registry: ${state.message}`);
    }, reject);
  });
}
