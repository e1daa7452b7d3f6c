import type { Fence, FenceReport } from '../../supervisor/index.js';
import type { ScrubOutcome } from '../config/scrub-environ.js';
import type { Settings } from '../config/settings.js';
import { Refusal } from '../errors/refusal.js';
import { resolveScript } from '../skill/resolve-script.js';
import type { DeclaredScript, Skill } from '../skill/skill.js';
import { checkArguments, checkStdin } from './arguments.js';
import { requireFence, requireHiddenVariables } from './fence-demand.js';
import type { Grant } from './grant.js';
import { type RunPlan, sha256 } from './run-plan.js';
import { planVariables } from './script-env.js';
import {
  explainMissing,
  explainUngranted,
  explainUnknownInterpreter,
  refuseMissing,
  refuseReadOnly,
  refuseUndeclared,
} from './script-state.js';

/** What a caller wants to run. */
export interface RunWish {
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
}

/** What decides about a wish. */
export interface Admission {
  readonly settings: Pick<
    Settings,
    'interpreters' | 'hosted' | 'variables' | 'fenceFault' | 'minFence' | 'allowUnscrubbed'
  >;
  readonly grant: Grant;
  readonly scrub: ScrubOutcome;
  /** Asks the supervisor for its fence; never rejects. */
  readonly readFence: () => Promise<FenceReport>;
}

/**
 * Turns a wish into one frozen plan, or refuses it. All policy ends here; the order of the checks is the order in
 * which a caller can act on them, and everything but a busy slot is refused before anybody is asked to approve.
 */
export async function admitRun(skill: Skill, wish: RunWish, admission: Admission): Promise<RunPlan> {
  const { settings, grant } = admission;
  if (skill.sourceId !== undefined) throw refuseReadOnly(skill);
  const declared = findDeclared(skill, wish.script);
  if (!grant.allows(skill.name, declared.script)) throw explainUngranted(skill, declared, grant);
  const file = settings.interpreters.get(declared.interpreter);
  if (file === undefined) throw new Refusal(explainUnknownInterpreter(declared, settings.interpreters));
  const script = await findScript(skill, declared);
  checkArguments(wish.args);
  checkStdin(wish.stdin);
  if (!grant.allowsBytes(skill.name, declared.script, script.sha256)) {
    throw new Refusal(`the bytes of ${declared.script} are not the granted ones (sha256 ${script.sha256})`, {
      hint: 'the owner pinned other bytes in MCP_SKILL_RUN: restore the script or have the new one granted',
    });
  }
  const variables = planVariables(
    grant.variablesFor(skill.name, declared, script.sha256),
    settings.variables,
  );
  const report = await admission.readFence();
  requireFence(report, settings);
  requireHiddenVariables(report.level, admission.scrub, settings);
  return Object.freeze({
    skill: skill.name,
    script: declared.script,
    interpreter: declared.interpreter,
    file,
    scriptPath: script.realPath,
    root: script.root,
    argv: Object.freeze([declared.script, ...wish.args]),
    cwd: skill.directory,
    timeoutMs: declared.timeoutMs,
    envNames: variables.names,
    envNotSet: variables.notSet,
    envWarning: warnOfVariables(variables.handedOver, grant),
    stdin:
      wish.stdin === undefined
        ? undefined
        : Object.freeze({ bytes: Buffer.byteLength(wish.stdin), sha256: sha256(wish.stdin) }),
    sha256: script.sha256,
    dev: script.dev,
    ino: script.ino,
    fence: Object.freeze(planFence(report, skill, declared)),
  });
}

/** What of the fence this very script gets: the network where its skill declares whom it talks to. */
function planFence(report: FenceReport, skill: Skill, declared: DeclaredScript): Fence {
  const { refusal: _refusal, hardening = [], ...fence } = report;
  const own = hardening.filter((name) => name !== 'node-permission' || declared.interpreter === 'node');
  const isCutOff = report.level === 'sandbox' && skill.declaration.egress.length === 0;
  return { ...fence, network: isCutOff ? 'none' : 'host', ...(own.length > 0 && { hardening: own }) };
}

function findDeclared(skill: Skill, script: string): DeclaredScript {
  const declared = skill.declaration.run.find((entry) => entry.script === script);
  if (declared !== undefined) return declared;
  const missing = explainMissing(skill, script);
  throw missing === undefined ? refuseUndeclared(skill, script) : refuseMissing(missing);
}

async function findScript(skill: Skill, declared: DeclaredScript) {
  const missing = explainMissing(skill, declared.script);
  try {
    return await resolveScript(skill, declared.script);
  } catch (error) {
    // The scan knows more about a script that breaks the path rule than a failed lookup does.
    if (error instanceof Refusal && missing !== undefined) throw refuseMissing(missing);
    throw error;
  }
}

/** Standalone, a declaration alone hands variables over: the person who approves must see that nobody granted it. */
function warnOfVariables(handedOver: readonly string[], grant: Grant): string | undefined {
  if (grant.from !== 'declaration' || handedOver.length === 0) return undefined;
  return (
    `${handedOver.join(', ')} will be handed to the script because its own declaration asks for it; ` +
    'nobody has granted it explicitly (MCP_SKILL_RUN would)'
  );
}
