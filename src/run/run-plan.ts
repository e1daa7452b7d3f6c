import { createHash } from 'node:crypto';
import type { Fence } from '../../supervisor/index.js';

/**
 * Everything about one run, decided: what is previewed, approved and executed. A plain serialisable value
 * without a single value of a variable in it.
 */
export interface RunPlan {
  readonly skill: string;
  /** As declared, relative to the skill's directory. */
  readonly script: string;
  readonly interpreter: string;
  /** Absolute path of the interpreter. */
  readonly file: string;
  /** Real absolute path of the script, and the real directory that must hold it. */
  readonly scriptPath: string;
  readonly root: string;
  /** The script as declared, then the arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Sorted names of everything that the script will see. */
  readonly envNames: readonly string[];
  readonly envNotSet: readonly string[];
  readonly envWarning: string | undefined;
  /** Undefined: stdin is empty. */
  readonly stdin: { readonly bytes: number; readonly sha256: string } | undefined;
  readonly sha256: string;
  /** Device and inode of the script, decimal digits: they may not fit into a number. */
  readonly dev: string;
  readonly ino: string;
  readonly fence: Fence;
}

/** The parts of a plan that an approval binds to, each under the words that name it to a person. */
const BOUND_PARTS: readonly (readonly [string, (plan: RunPlan) => unknown])[] = [
  ['the skill', (plan) => plan.skill],
  ['the script', (plan) => [plan.script, plan.scriptPath, plan.root]],
  ["the script's bytes", (plan) => plan.sha256],
  ['the interpreter', (plan) => [plan.interpreter, plan.file]],
  ['the arguments', (plan) => plan.argv.slice(1)],
  ['the working directory', (plan) => plan.cwd],
  ['the timeout', (plan) => plan.timeoutMs],
  ['the variables', (plan) => plan.envNames],
  ['stdin', (plan) => plan.stdin ?? null],
  // The reason is for people and may be worded differently from one moment to the next.
  ['the fence', (plan) => [plan.fence.level, plan.fence.network, plan.fence.hardening ?? []]],
];

/** One digest for each part that an approval binds to. */
export type PlanDigests = ReadonlyMap<string, string>;

/** Digests of the parts of a plan. */
export function digestParts(plan: RunPlan): PlanDigests {
  return new Map(BOUND_PARTS.map(([name, read]) => [name, sha256(JSON.stringify(read(plan)))]));
}

/** One digest, hexadecimal, over all parts that an approval binds to. */
export function digestPlan(parts: PlanDigests): string {
  return sha256([...parts.values()].join('\n'));
}

/** The words for every part that differs. */
export function nameChanges(before: PlanDigests, after: PlanDigests): readonly string[] {
  return [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name);
}

/** SHA-256 of a text's UTF-8 bytes, hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
