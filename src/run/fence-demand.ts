import type { FenceReport, Supervisor } from '../../supervisor/index.js';
import type { ScrubOutcome } from '../config/scrub-environ.js';
import type { Settings } from '../config/settings.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';

/** How long an answer waits for the supervisor to say which fence it has, ms. */
const READY_WAIT_MS = 1_000;
/** Once the server is ending, the wait is cut to this, so that the answer still goes out, ms. */
const LAST_WAIT_MS = 500;

const MAX_REASON_CHARACTERS = 300;

const DEMAND_HINT =
  'the operator of this server decides: SKILL_MCP_FENCE and SKILL_MCP_MIN_FENCE say which level is demanded';

const LEVELS = ['unknown', 'portable', 'namespace', 'sandbox'] as const;

/**
 * The fence that a run would get, or level `unknown` with the reason. Starts the supervisor. Never rejects.
 * `ending` fires when the server winds down.
 */
export async function readFence(
  supervisor: Pick<Supervisor, 'ready' | 'status'>,
  ending: AbortSignal,
): Promise<FenceReport> {
  const report = supervisor.ready(READY_WAIT_MS).catch((error: unknown): FenceReport => {
    const reason = error instanceof Error ? error.message : 'the supervisor did not start';
    const report = unknownFence(reason);
    // One that is merely slow may be there for the run; after too many deaths the run is certain to be refused.
    return supervisor.status().state === 'refusing'
      ? { ...report, refusal: `unavailable: ${report.reason}` }
      : report;
  });
  const settled = new AbortController();
  const cut = waitAfter(ending, settled.signal).then(() => unknownFence('the server is ending'));
  try {
    return await Promise.race([report, cut]);
  } finally {
    settled.abort();
  }
}

/** Resolves some time after `ending`; never, and without a timer left, once `settled` has fired. */
function waitAfter(ending: AbortSignal, settled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = () => {
      const timer = setTimeout(resolve, LAST_WAIT_MS);
      settled.addEventListener('abort', () => clearTimeout(timer), { once: true });
    };
    if (ending.aborted) begin();
    else ending.addEventListener('abort', begin, { once: true, signal: settled });
  });
}

/** A fence about which nothing is known yet. */
export function unknownFence(reason: string): FenceReport {
  return { level: 'unknown', network: 'host', reason: toOneLine(reason, MAX_REASON_CHARACTERS) };
}

/** Refuses when the operator's demand on the fence cannot be met or could not be understood. */
export function requireFence(report: FenceReport, settings: Pick<Settings, 'fenceFault' | 'minFence'>): void {
  if (settings.fenceFault !== undefined) {
    throw new Refusal(settings.fenceFault, {
      hint: 'the operator must correct the variable; nothing runs until then',
    });
  }
  if (report.refusal !== undefined) {
    throw new Refusal(report.refusal, {
      hint:
        report.level === 'unknown'
          ? 'everything but running still works; try again in a minute'
          : DEMAND_HINT,
    });
  }
  const { minFence } = settings;
  if (minFence !== undefined && LEVELS.indexOf(report.level) < LEVELS.indexOf(minFence)) {
    const reason = report.reason === undefined ? '' : ` (${report.reason})`;
    throw new Refusal(`the fence is ${report.level}${reason}, the operator demands at least ${minFence}`, {
      hint: DEMAND_HINT,
    });
  }
}

/**
 * Refuses when a host's credentials can be read by the script in our own block of variables. A fence from
 * `namespace` up hides this process from the script altogether.
 */
export function requireHiddenVariables(
  level: FenceReport['level'],
  scrub: ScrubOutcome,
  settings: Pick<Settings, 'hosted' | 'allowUnscrubbed'>,
): void {
  const isHidden = level === 'namespace' || level === 'sandbox' || scrub.state === 'scrubbed';
  if (isHidden || !settings.hosted || settings.allowUnscrubbed) return;
  const reason = scrub.state === 'failed' ? ` (${scrub.reason})` : '';
  throw new Refusal(`environ-unscrubbed: a script could read this server's own variables${reason}`, {
    hint: 'the operator can use the namespace fence, or accept it with SKILL_MCP_ALLOW_UNSCRUBBED=1',
  });
}
