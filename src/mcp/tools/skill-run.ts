import { z } from 'zod';
import type { CatalogSource } from '../../catalog/catalog-service.js';
import type { ScriptRunner } from '../../run/script-runner.js';
import { askAbout, findSkill } from '../find-skill.js';
import type { ToolCall, ToolDefinition } from '../tool.js';
import { dropNulls, parseArguments, readStringifiedList, toJsonSchema } from '../tool-schema.js';
import { RUNS_CODE } from './annotations.js';
import { fitOutput } from './fit-output.js';
import { RunProgress } from './run-progress.js';
import { SIZE_HINT } from './size-hint.js';

const SHAPE =
  '{"name": "a-skill", "script": "scripts/a.js", "args": ["--city", "Bern"], "confirm": true}, ' +
  'where args is a list of strings and confirm the boolean true';

const Input = z.strictObject({
  name: z.string().describe('Name of the skill as skill_list shows it.'),
  script: z
    .string()
    .describe('One of the scripts that skill_list shows for the skill, written the same way.'),
  args: z
    .array(z.string())
    .optional()
    .describe('Arguments, handed to the script verbatim; no shell sees them.'),
  stdin: z.string().optional().describe('Text for the standard input, at most 1 MiB; empty when left out.'),
  confirm: z
    .boolean()
    .optional()
    .describe('true runs the script; without it the answer is a preview and nothing is started.'),
  confirmToken: z.string().optional().describe('confirmToken of the preview that was approved.'),
});

const Output = z.looseObject({
  dryRun: z.boolean().optional(),
  willRun: z.looseObject({}).optional(),
  confirmToken: z.string().optional(),
  expiresAt: z.string().optional(),
  note: z.string().optional(),
  skill: z.string().optional(),
  script: z.string().optional(),
  interpreter: z.string().optional(),
  // Integer and string, or null: a union in a schema is more than some clients can read.
  exitCode: z.unknown().optional(),
  signal: z.unknown().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  truncated: z.looseObject({}).optional(),
  totalBytes: z.looseObject({}).optional(),
  timedOut: z.boolean().optional(),
  cancelled: z.boolean().optional(),
  timeoutMs: z.int().min(0).max(300_000).optional(),
  durationMs: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  env: z.array(z.string()).optional(),
  fence: z.looseObject({}).optional(),
  survivors: z.looseObject({}).optional(),
});

export interface SkillRunParts {
  readonly catalog: CatalogSource;
  readonly runner: ScriptRunner;
}

/** The tool that previews and runs declared scripts. */
export function makeSkillRun(parts: SkillRunParts): ToolDefinition {
  return {
    definition: {
      name: 'skill_run',
      title: 'Run a script of a skill',
      description: [
        'Preview or run one script that a skill declares, in a separate supervised process.',
        'Call it without confirm first: the answer shows exactly what would run and starts nothing. Show that to the person,',
        'then repeat the call with confirm: true and the confirmToken of the preview. One script runs at a time. A non-zero',
        'exit code is a normal answer with stdout and stderr.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: RUNS_CODE,
      _meta: SIZE_HINT,
    },
    bulkyFields: ['stdout', 'stderr'],
    call: (args, call) => runSkill(args, call, parts),
  };
}

async function runSkill(
  args: unknown,
  call: ToolCall,
  parts: SkillRunParts,
): Promise<Record<string, unknown>> {
  const { fields, remark } = readLeniently(args);
  const input = parseArguments(Input, fields, SHAPE);
  const skill = findSkill(await parts.catalog(askAbout(input.name)), input.name);
  const progress = call.progress === undefined ? undefined : new RunProgress(call.progress);
  try {
    const answer = await parts.runner.call(skill, {
      script: input.script,
      args: input.args ?? [],
      stdin: input.stdin,
      confirm: input.confirm === true,
      confirmToken: input.confirmToken,
      remark,
      signal: call.signal,
      ...(progress !== undefined && {
        onRun: (plan) => progress.start(plan.timeoutMs),
        onTail: (tail) => progress.show(tail.line),
      }),
    });
    return fitOutput(answer);
  } finally {
    progress?.stop();
  }
}

/** Only the boolean true confirms: anything else that was sent as confirm previews, and the preview says why. */
function readLeniently(args: unknown): { fields: Record<string, unknown>; remark: string | undefined } {
  const fields = dropNulls(args);
  if ('args' in fields) fields.args = readStringifiedList(fields.args);
  if (!('confirm' in fields) || typeof fields.confirm === 'boolean') return { fields, remark: undefined };
  const given = typeof fields.confirm === 'string' ? 'a string' : `a ${typeof fields.confirm}`;
  const { confirm: _ignored, ...rest } = fields;
  return {
    fields: rest,
    remark: `confirm was ${given}: only the boolean true confirms, so this is a preview.`,
  };
}
