import { explainUnavailable } from '../../run/script-state.js';
import type { Skill } from '../../skill/skill.js';

/** What the mcp-host block of a skill comes to for one script. */
export interface ScriptExplanation {
  readonly skill: string;
  readonly script: string;
  readonly interpreter?: string;
  /** What would be started: the interpreter's path and the script. */
  readonly command?: readonly string[];
  readonly timeoutMs?: number;
  /** Names of the variables that it would see if the owner grants them. */
  readonly env?: readonly string[];
  /** Why it cannot run here. */
  readonly unavailable?: string;
}

/** Says of each declared script what would run, and of the others why nothing would. */
export function explainScripts(skill: Skill, interpreters: ReadonlyMap<string, string>): ScriptExplanation[] {
  const { name, declaration, missingScripts } = skill;
  const declared = declaration.run.map((entry): ScriptExplanation => {
    const { script, interpreter, timeoutMs, env } = entry;
    const unavailable = explainUnavailable(skill, entry, interpreters);
    const program = interpreters.get(interpreter);
    return {
      skill: name,
      script,
      interpreter,
      ...(program !== undefined && { command: [program, script] }),
      timeoutMs,
      env,
      ...(unavailable !== undefined && { unavailable }),
    };
  });
  const missing = missingScripts.map(({ script, reason }) => ({ skill: name, script, unavailable: reason }));
  return [...declared, ...missing];
}
