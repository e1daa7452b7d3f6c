import type { z } from 'zod';
import type { HelloMessage, RunMessage } from '../protocol.js';
import { findFault } from './check-request.js';
import type { ChosenFence } from './fence/choose.js';
import type { Outcome } from './run.js';

export interface AdmissionRules {
  readonly hello: Pick<z.infer<typeof HelloMessage>, 'limits'>;
  readonly fence: ChosenFence;
}

/** Why a run may not take place, whatever the slots say; undefined when it may. */
export function findRefusal(request: RunMessage, stdin: Buffer, rules: AdmissionRules): Outcome | undefined {
  const { report, containment } = rules.fence;
  const fault = findFault(request, stdin, rules.hello.limits, containment);
  if (fault !== undefined) return { type: 'refused', code: 'invalid', message: fault };
  if (report.refusal !== undefined) {
    return { type: 'refused', code: 'fence-unavailable', message: report.refusal };
  }
  if (request.fence !== undefined && request.fence !== report.level) {
    const message = `the ${request.fence} level was approved, ${report.level} is in force`;
    return { type: 'refused', code: 'fence-unavailable', message };
  }
  if (request.network === 'none' && report.level !== 'sandbox') {
    const message = `only the sandbox level can take the network away, ${report.level} is in force`;
    return { type: 'refused', code: 'fence-unavailable', message };
  }
  return undefined;
}
