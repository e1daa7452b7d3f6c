import type { ConfirmMode } from '../config/settings.js';
import type { IssuedToken } from './confirm.js';
import type { RunPlan } from './run-plan.js';

const NOTHING_STARTED =
  'No process of the script was started; only the fence may have tested itself, to say what a run would get. ' +
  'The sha256 covers the script itself, not files that it loads.';

const HOW_TO_RUN: Readonly<Record<ConfirmMode, string>> = {
  flag: 'To run exactly this, call again with confirm: true and this confirmToken.',
  token: 'To run exactly this, call again with confirm: true and this confirmToken; nothing else runs it.',
  ask: 'To run exactly this, call again with confirm: true and this confirmToken; nothing else runs it.',
  refuse: 'Running is switched off here (SKILL_MCP_CONFIRM=refuse): this cannot be confirmed.',
};

/** The answer to a call without confirmation: what would run, from the same plan that a run uses. */
export function describePreview(
  plan: RunPlan,
  token: IssuedToken | undefined,
  mode: ConfirmMode,
  remark: string | undefined,
): Record<string, unknown> {
  return {
    dryRun: true,
    willRun: {
      skill: plan.skill,
      script: plan.script,
      interpreter: plan.interpreter,
      argv: plan.argv,
      cwd: plan.cwd,
      timeoutMs: plan.timeoutMs,
      envNames: plan.envNames,
      ...(plan.envNotSet.length > 0 && { envNotSet: plan.envNotSet }),
      ...(plan.envWarning !== undefined && { envWarning: plan.envWarning }),
      ...(plan.stdin !== undefined && { stdinBytes: plan.stdin.bytes }),
      sha256: plan.sha256,
      fence: plan.fence,
    },
    ...token,
    note: [remark, HOW_TO_RUN[mode], NOTHING_STARTED].filter((part) => part !== undefined).join(' '),
  };
}

// Line separators, direction marks and the like are legal in JSON text but would not be seen as themselves.
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** A preview as compact JSON on one line of visible characters. */
export function writePreview(preview: Record<string, unknown>): string {
  return JSON.stringify(preview).replace(INVISIBLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
