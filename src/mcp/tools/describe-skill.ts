import { forListing, toOneLine } from '../../errors/sanitize.js';
import type { ScriptStates } from '../../run/script-state.js';
import type { Skill } from '../../skill/skill.js';

/** Caps of what a stranger's text may take in a listing, characters; skill_load hands it out whole. */
const MAX_TEXT_CHARACTERS = 1_024;
const MAX_PATH_CHARACTERS = 1_024;
const MAX_HOST_CHARACTERS = 253;
const MAX_HOSTS = 100;

/** One entry of skill_list. */
export function describeSkill(skill: Skill, states: ScriptStates): Record<string, unknown> {
  const { egress } = skill.declaration;
  return {
    name: skill.name,
    ...(skill.description !== undefined && {
      description: forListing(skill.description, MAX_TEXT_CHARACTERS),
    }),
    ...(skill.whenToUse !== undefined && { whenToUse: forListing(skill.whenToUse, MAX_TEXT_CHARACTERS) }),
    source: skill.source,
    files: skill.files.length,
    bytes: skill.bytes,
    executable: states.scripts.length > 0,
    scripts: states.scripts.map(({ script, interpreter, timeoutMs, env }) => ({
      script,
      interpreter,
      timeoutMs,
      env,
    })),
    unavailableScripts: states.unavailable.map(({ script, reason }) => ({
      script: toOneLine(script, MAX_PATH_CHARACTERS),
      reason: toOneLine(reason, MAX_TEXT_CHARACTERS),
    })),
    ...(states.ungranted.length > 0 && {
      ungrantedScripts: states.ungranted.map((script) => toOneLine(script, MAX_PATH_CHARACTERS)),
    }),
    ...(egress.length > 0 && {
      declaredEgress: egress.slice(0, MAX_HOSTS).map((host) => forListing(host, MAX_HOST_CHARACTERS)),
    }),
    ...(skill.disableModelInvocation && { disableModelInvocation: true }),
  };
}
