import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { DeclaredScript, Skill } from '../skill/skill.js';
import type { Grant } from './grant.js';

/** Longest list of scripts in one sentence. */
const MAX_NAMED_SCRIPTS = 20;
const MAX_NAME_CHARACTERS = 200;

/** What skill_list says about the declared scripts of one skill. */
export interface ScriptStates {
  /** What would run now. */
  readonly scripts: readonly DeclaredScript[];
  readonly unavailable: readonly { readonly script: string; readonly reason: string }[];
  readonly ungranted: readonly string[];
}

/** Sorts the declared scripts of a skill by what stands in their way; one can be both unavailable and ungranted. */
export function sortScripts(
  skill: Skill,
  grant: Grant,
  interpreters: ReadonlyMap<string, string>,
): ScriptStates {
  if (skill.sourceId !== undefined) return { scripts: [], unavailable: skill.missingScripts, ungranted: [] };
  const scripts: DeclaredScript[] = [];
  const unavailable: { script: string; reason: string }[] = [];
  const ungranted: string[] = [];
  for (const declared of skill.declaration.run) {
    const reason = explainUnavailable(skill, declared, interpreters);
    const isGranted = grant.allows(skill.name, declared.script);
    if (reason !== undefined) unavailable.push({ script: declared.script, reason });
    if (!isGranted) ungranted.push(declared.script);
    if (reason === undefined && isGranted) {
      scripts.push({ ...declared, env: grant.variablesFor(skill.name, declared) });
    }
  }
  for (const { script } of skill.missingScripts) {
    const reason = explainMissing(skill, script);
    if (reason !== undefined && !unavailable.some((entry) => entry.script === script)) {
      unavailable.push({ script, reason });
    }
  }
  return { scripts, unavailable, ungranted };
}

/** Why a declared script cannot run here whoever allows it; undefined when it can. */
export function explainUnavailable(
  skill: Skill,
  declared: DeclaredScript,
  interpreters: ReadonlyMap<string, string>,
): string | undefined {
  if (!interpreters.has(declared.interpreter)) return explainUnknownInterpreter(declared, interpreters);
  return explainMissing(skill, declared.script);
}

/** The same words in the listing and in the refusal. */
export function explainUnknownInterpreter(
  declared: DeclaredScript,
  interpreters: ReadonlyMap<string, string>,
): string {
  const wanted = toOneLine(declared.interpreter, MAX_NAME_CHARACTERS);
  return (
    `${declared.script} declares the interpreter ${JSON.stringify(wanted)}, ` +
    `which this server does not run (it runs ${[...interpreters.keys()].join(', ')})`
  );
}

/** What the scan found wrong with a declared script; undefined when nothing was. */
export function explainMissing(skill: Skill, script: string): string | undefined {
  const missing = skill.missingScripts.find((entry) => entry.script === script);
  return missing === undefined ? undefined : `${script}: ${missing.reason}`;
}

/** The refusal for a script that is declared but cannot run as the skill is, in the words of the listing. */
export function refuseMissing(reason: string): Refusal {
  return new Refusal(`the declared script cannot run: ${reason}`, {
    hint: 'the author of the skill must correct the entry under mcp-host.run or bring the file back',
  });
}

/** The refusal for any script of a skill that a configured source brought. */
export function refuseReadOnly(skill: Skill): Refusal {
  return new Refusal(`skill ${skill.name} comes from the source ${skill.sourceId}: sources are read-only`, {
    hint: 'the owner of this server can give its folder as a root to have its scripts run',
  });
}

/** The refusal for a path that the skill does not declare. */
export function refuseUndeclared(skill: Skill, script: string): Refusal {
  const wanted = JSON.stringify(toOneLine(script, MAX_NAME_CHARACTERS));
  const declared = skill.declaration.run.map((entry) => entry.script);
  const known = declared.slice(0, MAX_NAMED_SCRIPTS).join(', ');
  const more = declared.length > MAX_NAMED_SCRIPTS ? ` and ${declared.length - MAX_NAMED_SCRIPTS} more` : '';
  return new Refusal(`${wanted} is not declared by skill ${skill.name}`, {
    hint:
      declared.length > 0
        ? `only scripts under mcp-host.run in its SKILL.md can run: ${known}${more}`
        : 'it declares no scripts: a script must be listed under mcp-host.run in its SKILL.md to be run',
  });
}

/** The refusal for a script that is declared but that nobody allowed. */
export function explainUngranted(skill: Skill, declared: DeclaredScript, grant: Grant): Refusal {
  return new Refusal(`${declared.script} of skill ${skill.name} is declared but not granted`, {
    hint: grant.error ?? grant.note ?? 'the owner of this server allows scripts in MCP_SKILL_RUN',
  });
}
