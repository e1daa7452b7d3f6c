import type { FenceLevel, FenceReport, FenceRequest } from '../../protocol.js';
import { findTool, readProgramName } from '../find-tool.js';
import type { Containment } from './fence.js';
import { createNamespace } from './namespace.js';
import { portable } from './portable.js';

/** What the start script found out, and what the process knows of itself. */
export interface FenceVerdict {
  readonly level: 'namespace' | 'portable';
  readonly reason: string | undefined;
  readonly searchPath: string;
  readonly isRoot: boolean;
}

export interface ChosenFence {
  readonly containment: Containment;
  readonly report: FenceReport;
}

const STRENGTH: Record<FenceLevel, number> = { portable: 0, namespace: 1, sandbox: 2 };

/** Shells that leave no variable behind which `unset` could not remove. */
const TIDY_SHELLS = new Set(['dash', 'busybox']);

/** Takes the level of the verdict, and refuses every run when a demand is not met by it. */
export function chooseFence(
  verdict: FenceVerdict,
  request: FenceRequest,
  minimum: FenceLevel | undefined,
): ChosenFence {
  const reason = verdict.reason && explain(verdict.reason);
  const containment = buildContainment(verdict);
  const inForce = containment ?? portable;
  const report: FenceReport = { level: inForce.level as 'portable' | 'namespace', network: 'host' };
  if (verdict.level === 'portable' && reason !== undefined) report.reason = reason;
  const refusal =
    containment === undefined
      ? 'setpriv, unshare or env is not to be found on the search path'
      : findRefusal(containment.level, reason, request, minimum);
  if (refusal !== undefined) report.refusal = refusal;
  return { containment: inForce, report };
}

function buildContainment(verdict: FenceVerdict): Containment | undefined {
  if (verdict.level === 'portable') return portable;
  const setpriv = findTool('setpriv', verdict.searchPath);
  const unshare = findTool('unshare', verdict.searchPath);
  const isTidy = TIDY_SHELLS.has(readProgramName('/bin/sh'));
  const env = isTidy ? undefined : findTool('env', verdict.searchPath);
  if (setpriv === undefined || unshare === undefined || (!isTidy && env === undefined)) return undefined;
  return createNamespace({ setpriv, unshare, env, isRoot: verdict.isRoot });
}

function findRefusal(
  level: FenceLevel,
  reason: string | undefined,
  request: FenceRequest,
  minimum: FenceLevel | undefined,
): string | undefined {
  if (request === 'sandbox' || minimum === 'sandbox') {
    return 'the sandbox level is not available in this version';
  }
  if (request !== 'auto' && request !== level) {
    return `the ${request} level was asked for, this supervisor runs at ${level}${because(reason)}`;
  }
  if (minimum !== undefined && STRENGTH[level] < STRENGTH[minimum]) {
    return `at least the ${minimum} level was asked for, this machine gives ${level}${because(reason)}`;
  }
  return undefined;
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`);

/** What the kernel means by its short words; whoever reads them is seldom the one who set the limit. */
function explain(reason: string): string {
  if (!reason.includes('unshare failed: ')) return reason;
  if (reason.includes('No space left on device'))
    return `${reason} (user namespaces are switched off or at their limit: user.max_user_namespaces)`;
  if (reason.includes('Operation not permitted'))
    return `${reason} (the system or its container does not allow user namespaces)`;
  return reason;
}
