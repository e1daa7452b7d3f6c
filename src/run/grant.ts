import { z } from 'zod';
import type { Settings } from '../config/settings.js';
import { toOneLine } from '../errors/sanitize.js';
import type { Problem } from '../skill/problem.js';
import type { DeclaredScript, Skill } from '../skill/skill.js';

/** Who decided what may run. */
export type GrantFrom = 'MCP_SKILL_RUN' | 'hosted-default' | 'declaration';

// An unknown key is a fault: an owner who wrote one believes that it narrows something.
const GrantRow = z.strictObject({
  skill: z.string().min(1),
  script: z.string().min(1),
  env: z.array(z.string()).optional(),
  /** Of the script's bytes; in a grant with it, other bytes do not run. */
  sha256: z
    .string()
    .regex(/^(?:sha256:)?[0-9a-fA-F]{64}$/, 'expected 64 hexadecimal digits')
    .transform((digest) => digest.slice(-64).toLowerCase())
    .optional(),
});
type GrantRow = z.infer<typeof GrantRow>;

const VARIABLE = 'MCP_SKILL_RUN';
const MAX_FAULT_CHARACTERS = 300;

const HOSTED_NOTE =
  'this server was started by a host and MCP_SKILL_RUN is not set, so nothing may run: one environment holds the ' +
  'credentials of every skill, and nobody has decided yet who gets which';

/** What the owner allows. It can only narrow what skills declare. */
export class Grant {
  readonly from: GrantFrom;
  /** Why nothing is granted although nobody said so. */
  readonly note: string | undefined;
  /** Why the owner's grant could not be read: nothing is granted then. */
  readonly error: string | undefined;
  readonly #rows: readonly GrantRow[];

  constructor(settings: Pick<Settings, 'grantText' | 'hosted'>) {
    if (settings.grantText === undefined) {
      this.from = settings.hosted ? 'hosted-default' : 'declaration';
      this.note = settings.hosted ? HOSTED_NOTE : undefined;
      this.#rows = [];
      return;
    }
    this.from = VARIABLE;
    const read = readRows(settings.grantText);
    this.#rows = read.rows;
    this.error = read.error;
  }

  /** True when the script may run, for some bytes at least. */
  allows(skill: string, script: string): boolean {
    return this.from === 'declaration' || this.#rowsFor(skill, script).length > 0;
  }

  /** True when a script of exactly these bytes may run. */
  allowsBytes(skill: string, script: string, sha256: string): boolean {
    return this.from === 'declaration' || this.#rowsFor(skill, script, sha256).length > 0;
  }

  /** The variables that the script asks for and is granted; with `sha256`, by the rows for these bytes only. */
  variablesFor(skill: string, declared: DeclaredScript, sha256?: string): readonly string[] {
    if (this.from === 'declaration') return declared.env;
    const granted = new Set(this.#rowsFor(skill, declared.script, sha256).flatMap((row) => row.env ?? []));
    return declared.env.filter((name) => granted.has(name));
  }

  /** Rows and variables that match nothing. */
  problems(findSkill: (name: string) => Skill | undefined): readonly Problem[] {
    return this.#rows.flatMap((row, index) =>
      explainMismatch(row, findSkill(row.skill)).map((what) => ({
        path: VARIABLE,
        reason: 'grant' as const,
        detail: toOneLine(`row ${index + 1}: ${what}`, MAX_FAULT_CHARACTERS),
      })),
    );
  }

  #rowsFor(skill: string, script: string, sha256?: string): readonly GrantRow[] {
    const name = skill.normalize('NFC');
    return this.#rows.filter(
      (row) =>
        row.skill.normalize('NFC') === name &&
        row.script === script &&
        (sha256 === undefined || row.sha256 === undefined || row.sha256 === sha256),
    );
  }
}

function readRows(text: string): { rows: readonly GrantRow[]; error: string | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { rows: [], error: 'MCP_SKILL_RUN is not valid JSON: nothing is granted' };
  }
  const parsed = z.array(GrantRow).safeParse(value);
  if (parsed.success) return { rows: parsed.data, error: undefined };
  const issue = parsed.error.issues[0];
  const [row, ...field] = issue?.path ?? [];
  const where =
    typeof row === 'number' ? ` row ${row + 1}${field.map((part) => `.${String(part)}`).join('')}:` : '';
  const fault = toOneLine(issue?.message ?? 'wrong shape', MAX_FAULT_CHARACTERS);
  return {
    rows: [],
    error: `MCP_SKILL_RUN is not a list of {skill, script, env?, sha256?}:${where} ${fault}; nothing is granted`,
  };
}

function explainMismatch(row: GrantRow, skill: Skill | undefined): string[] {
  const name = JSON.stringify(row.skill);
  if (skill === undefined) return [`there is no skill ${name}`];
  const declared = skill.declaration.run.find((entry) => entry.script === row.script);
  if (declared === undefined) return [`skill ${name} does not declare ${JSON.stringify(row.script)}`];
  return (row.env ?? [])
    .filter((variable) => !declared.env.includes(variable))
    .map((variable) => `${row.script} of skill ${name} does not ask for ${JSON.stringify(variable)}`);
}
