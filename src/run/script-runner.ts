import type { Supervisor } from '../../supervisor/index.js';
import type { ConfirmMode, Settings } from '../config/settings.js';
import { Refusal } from '../errors/refusal.js';
import type { Skill } from '../skill/skill.js';
import { type Admission, admitRun, type RunWish } from './admit.js';
import { type Confirmations, type Reservation, refuseWithoutToken } from './confirm.js';
import { withJoinedSignal } from './join-signals.js';
import { describePreview, writePreview } from './preview.js';
import type { RunPlan } from './run-plan.js';
import { type RunContext, runScript } from './run-script.js';

/** One call of skill_run, parsed. */
export interface RunCall extends RunWish {
  readonly confirm: boolean;
  readonly confirmToken: string | undefined;
  /** Said in a preview about how the call was understood. */
  readonly remark: string | undefined;
  readonly signal: AbortSignal;
  readonly onTail?: RunContext['onTail'];
  readonly onRun?: (plan: RunPlan) => void;
}

export interface ScriptRunnerOptions {
  readonly settings: Pick<Settings, 'confirmMode' | 'variables'>;
  readonly admission: Admission;
  readonly confirmations: Confirmations;
  readonly supervisor: () => Pick<Supervisor, 'run'>;
  /** Ends every run and refuses new ones. */
  readonly ending: AbortSignal;
}

/** Previews and runs scripts: admission, then confirmation, then the supervisor. */
export class ScriptRunner {
  readonly #options: ScriptRunnerOptions;

  constructor(options: ScriptRunnerOptions) {
    this.#options = options;
  }

  /** Answers a call with a preview or with the result of a run. Throws a Refusal. */
  async call(skill: Skill, call: RunCall): Promise<Record<string, unknown>> {
    const plan = await admitRun(skill, call, this.#options.admission);
    if (!call.confirm) return this.#preview(plan, call.remark);
    const reservation = this.#confirm(plan, call.confirmToken);
    try {
      return await this.#run(plan, call, reservation);
    } finally {
      reservation?.release();
    }
  }

  #preview(plan: RunPlan, remark: string | undefined): Record<string, unknown> {
    const mode = this.#options.settings.confirmMode;
    const token = mode === 'refuse' ? undefined : this.#options.confirmations.issue(plan);
    return describePreview(plan, token, mode, remark);
  }

  #confirm(plan: RunPlan, token: string | undefined): Reservation | undefined {
    const mode: ConfirmMode = this.#options.settings.confirmMode;
    if (mode === 'refuse') {
      throw new Refusal('running is switched off on this server (SKILL_MCP_CONFIRM)', {
        hint: 'a call without confirm still shows what would run',
      });
    }
    if (token !== undefined) {
      return this.#options.confirmations.reserve(token, plan, () =>
        writePreview(this.#preview(plan, undefined)),
      );
    }
    if (mode === 'flag') return undefined;
    throw refuseWithoutToken();
  }

  async #run(
    plan: RunPlan,
    call: RunCall,
    reservation: Reservation | undefined,
  ): Promise<Record<string, unknown>> {
    const { ending } = this.#options;
    if (ending.aborted) throw new Refusal('the server is ending; nothing was run');
    call.onRun?.(plan);
    const answer = await withJoinedSignal([call.signal, ending], (signal) =>
      runScript(plan, {
        supervisor: this.#options.supervisor(),
        variables: this.#options.settings.variables,
        stdin: call.stdin,
        signal,
        onStarted: () => reservation?.spend(),
        ...(call.onTail !== undefined && { onTail: call.onTail }),
      }),
    );
    // A result is proof of a start, whatever order the messages came in.
    reservation?.spend();
    return answer;
  }
}
