import {
  type FenceLevel,
  type FenceOptions,
  type FenceReport,
  type FenceRequest,
  type Hardening,
  type Limits,
  NO_FENCE_OPTIONS,
} from '../../protocol.js';
import { buildContainment } from './build-containment.js';
import type { Containment } from './fence.js';
import { portable } from './portable.js';

/** What the start script found out, and what the process knows of itself. */
export interface FenceVerdict {
  readonly level: FenceLevel;
  /** Why it is no stronger one. */
  readonly reason: string | undefined;
  readonly searchPath: string;
  readonly isRoot: boolean;
}

export interface ChosenFence {
  readonly containment: Containment;
  readonly report: FenceReport;
}

/** What is demanded of the fence. */
export interface FenceDemand {
  readonly fence: FenceRequest;
  readonly minFence?: FenceLevel | undefined;
  readonly fenceOptions?: FenceOptions | undefined;
  readonly limits: Pick<Limits, 'slots'>;
}

const STRENGTH: Record<FenceLevel, number> = { portable: 0, namespace: 1, sandbox: 2 };

/** Takes the level of the verdict, and refuses every run when a demand is not met by it. */
export function chooseFence(verdict: FenceVerdict, demand: FenceDemand): ChosenFence {
  const options = demand.fenceOptions ?? NO_FENCE_OPTIONS;
  const reason = verdict.reason && explain(verdict.reason);
  const built = buildContainment(verdict, options, demand.limits.slots);
  const fault = typeof built === 'string' ? built : undefined;
  const containment = typeof built === 'string' ? portable : built;
  const level = fault === undefined ? containment.level : verdict.level;
  const report: FenceReport = { level, network: level === 'sandbox' ? 'none' : 'host' };
  const hardening = fault === undefined ? listHardening(options) : [];
  if (hardening.length > 0) report.hardening = hardening;
  const isWeaker = verdict.level === 'portable' || demand.fence === 'sandbox';
  if (isWeaker && verdict.level !== 'sandbox' && reason) report.reason = reason;
  const refusal = fault ?? findRefusal(level, reason, demand);
  if (refusal !== undefined) report.refusal = refusal;
  return { containment, report };
}

/** The same fence, with every run refused for this reason. */
export function refuseFence(fence: ChosenFence, refusal: string): ChosenFence {
  const { hardening: _, ...report } = fence.report;
  return { ...fence, report: { ...report, refusal } };
}

function listHardening({ limits, runAs, cgroup, nodePermission }: FenceOptions): Hardening[] {
  const rows: [Hardening, unknown][] = [
    ['limits', limits],
    ['run-as', runAs],
    ['cgroup', cgroup],
    ['node-permission', nodePermission],
  ];
  return rows.flatMap(([name, value]) => (value ? [name] : []));
}

function findRefusal(
  level: FenceLevel,
  reason: string | undefined,
  { fence, minFence }: FenceDemand,
): string | undefined {
  if (fence !== 'auto' && fence !== level) {
    return `the ${fence} level was asked for, this supervisor runs at ${level}${because(reason)}`;
  }
  if (minFence !== undefined && STRENGTH[level] < STRENGTH[minFence]) {
    return `at least the ${minFence} level was asked for, this machine gives ${level}${because(reason)}`;
  }
  return undefined;
}

const because = (reason: string | undefined): string => (reason ? `: ${reason}` : '');

/** What the kernel means by its short words; whoever reads them is seldom the one who set the limit. */
function explain(reason: string): string {
  if (!reason.includes('unshare failed: ')) return reason;
  if (reason.includes('No space left on device'))
    return `${reason} (user namespaces are switched off or at their limit: user.max_user_namespaces)`;
  if (reason.includes('Operation not permitted'))
    return `${reason} (the system or its container does not allow user namespaces)`;
  return reason;
}
