import {
  type FenceLevel,
  type RunRequest,
  type RunResult,
  type Supervisor,
  SupervisorClosed,
  SupervisorLost,
  SupervisorRefusal,
  type Tail,
} from '../../supervisor/index.js';
import { Refusal } from '../errors/refusal.js';
import { decodeOutput } from './decode-output.js';
import type { RunPlan } from './run-plan.js';
import { joinValues } from './script-env.js';

/** What a run needs besides its plan. */
export interface RunContext {
  readonly supervisor: Pick<Supervisor, 'run'>;
  /** Where the values of the planned variables come from, at the last moment. */
  readonly variables: ReadonlyMap<string, string>;
  readonly stdin: string | undefined;
  readonly signal: AbortSignal;
  readonly onStarted: () => void;
  readonly onTail?: (tail: Tail) => void;
}

const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

const NETWORK_NOTE =
  'A proxy is configured on this machine, so its network is probably fenced: a host that is not on the allowed list ' +
  'shows inside the script as an HTTP 403 or as a plain timeout.';

/** Runs what was approved and describes how it ended. Throws a Refusal when the run did not take place. */
export async function runScript(plan: RunPlan, context: RunContext): Promise<Record<string, unknown>> {
  try {
    return describeResult(plan, await context.supervisor.run(makeRequest(plan, context)), context.variables);
  } catch (error) {
    throw translate(error, context.signal);
  }
}

function makeRequest(plan: RunPlan, context: RunContext): RunRequest {
  const level = approvedLevel(plan);
  return {
    file: plan.file,
    args: [plan.scriptPath, ...plan.argv.slice(1)],
    cwd: plan.cwd,
    env: joinValues(plan.envNames, context.variables),
    timeoutMs: plan.timeoutMs,
    script: { path: plan.scriptPath, root: plan.root, sha256: plan.sha256, dev: plan.dev, ino: plan.ino },
    signal: context.signal,
    onStarted: context.onStarted,
    ...(context.stdin !== undefined && { stdin: context.stdin }),
    ...(level !== undefined && { fence: level }),
    // Only there can it be another one than the host's.
    ...(level === 'sandbox' && { network: plan.fence.network }),
    ...(context.onTail !== undefined && { onTail: context.onTail }),
  };
}

/** A level that was unknown when the plan was made cannot be demanded. */
function approvedLevel(plan: RunPlan): FenceLevel | undefined {
  return plan.fence.level === 'unknown' ? undefined : plan.fence.level;
}

function describeResult(
  plan: RunPlan,
  result: RunResult,
  variables: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const stdout = decodeOutput(result.stdout, result.truncated.stdout);
  const stderr = decodeOutput(result.stderr, result.truncated.stderr);
  const hasFailed = result.exitCode !== 0 && !result.cancelled;
  const isProxied = PROXY_NAMES.some((name) => (variables.get(name) ?? '') !== '');
  return {
    skill: plan.skill,
    script: plan.script,
    interpreter: plan.interpreter,
    exitCode: result.exitCode,
    signal: result.signal,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: { ...result.truncated },
    totalBytes: { ...result.totalBytes },
    timedOut: result.timedOut,
    cancelled: result.cancelled,
    timeoutMs: result.timeoutMs,
    durationMs: Math.round(result.durationMs),
    env: result.env,
    fence: result.fence,
    survivors: { ...result.survivors },
    ...(result.scriptChanged && { scriptChanged: true }),
    ...(stdout.invalid + stderr.invalid > 0 && {
      invalidUtf8: { stdout: stdout.invalid, stderr: stderr.invalid },
    }),
    ...(hasFailed && isProxied && { networkNote: NETWORK_NOTE }),
  };
}

const HINTS: Readonly<Record<SupervisorRefusal['code'], string>> = {
  busy: 'one script runs at a time: call again when the other run has ended',
  invalid: 'the request cannot be carried out as it is',
  changed: 'the script is not the approved one any more: ask for a new preview',
  'fence-unavailable': 'the fence is not the approved one any more: ask for a new preview',
  'spawn-failed': 'nothing was run; the interpreter or the fence could not be started on this machine',
  'shutting-down': 'the server is ending; nothing was run',
  unavailable: 'everything but running still works; try again in a minute',
};

function translate(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof SupervisorRefusal) {
    return new Refusal(`${error.code}: ${error.message}`, { hint: HINTS[error.code] });
  }
  if (error instanceof SupervisorLost) {
    return new Refusal(error.message, {
      hint: 'check what it did before running it again',
    });
  }
  if (error instanceof SupervisorClosed) {
    return new Refusal('the server is ending: the run was ended with it', {
      hint: 'its outcome is unknown: check what it did before running it again',
    });
  }
  if (signal.aborted) return new Refusal('the call was cancelled before anything was run');
  return error;
}
