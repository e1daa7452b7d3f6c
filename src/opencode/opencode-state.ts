import { z } from 'zod';
import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import { findProgram } from '../process/find-program.js';
import type { ToolRunner } from '../process/tool-command.js';

/** OpenCode may have to start its own service first, ms. */
const TIMEOUT_MS = 30_000;

const MAX_MESSAGE_CHARACTERS = 200;

/** What OpenCode sees of our variables: where its own things are, and no key. */
const ALLOWED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_ALL|TMPDIR|XDG_[A-Z_]+|OPENCODE_(?:CONFIG|CONFIG_DIR|DB))$/;

/** A skill in OpenCode's own list. */
const ListedSkill = z.object({
  id: z.string().optional(),
  name: z.string(),
  autoinvoke: z.boolean().optional(),
  location: z.string().optional(),
  content: z.string().optional(),
});
export type ListedSkill = z.infer<typeof ListedSkill>;

const ListedServer = z.object({ name: z.string(), status: z.object({ status: z.string() }) });
export type ListedServer = z.infer<typeof ListedServer>;

/** Asks OpenCode, through its own program, for what it has loaded. */
export interface OpencodeOptions {
  readonly runner: Pick<ToolRunner, 'run'>;
  readonly variables: ReadonlyMap<string, string>;
  /** A name on PATH or an absolute path. */
  readonly program: string;
  /** Directory of the project that OpenCode is asked about, absolute. */
  readonly directory: string;
}

/** The skills that OpenCode lists. Throws a Refusal when it is not there or answers otherwise. */
export async function listSkills(options: OpencodeOptions): Promise<readonly ListedSkill[]> {
  try {
    return await ask(options, ['api', 'GET', '/api/skill'], ListedSkill);
  } catch (error) {
    // Older programs have no such command; they print the list itself.
    if (!(error instanceof Refusal) || error.code === 'ABSENT') throw error;
    return ask(options, ['debug', 'skill'], ListedSkill);
  }
}

/** The MCP servers that OpenCode knows, with what became of them. */
export async function listServers(options: OpencodeOptions): Promise<readonly ListedServer[]> {
  return ask(options, ['api', 'GET', '/api/mcp'], ListedServer);
}

/** True for a skill that OpenCode brings along. */
export function isBuiltin({ location }: ListedSkill): boolean {
  return location?.startsWith('/builtin/') ?? false;
}

async function ask<T>(
  options: OpencodeOptions,
  args: readonly string[],
  entry: z.ZodType<T>,
): Promise<readonly T[]> {
  const { runner, variables, program, directory } = options;
  const file = await findProgram(program, variables.get('PATH'));
  if (file === undefined) {
    throw new Refusal(`the opencode program is not here (${JSON.stringify(program)})`, {
      code: 'ABSENT',
      hint: 'put it on PATH or name it with --opencode',
    });
  }
  const env = Object.fromEntries([...variables].filter(([name]) => ALLOWED.test(name)));
  const { exitCode, stdout, stderr } = await runner.run({
    name: 'opencode',
    file,
    args,
    cwd: directory,
    env,
    timeoutMs: TIMEOUT_MS,
  });
  const call = `opencode ${args.join(' ')}`;
  if (exitCode !== 0) {
    const said = toOneLine(redactSecrets(stderr.toString('utf8')), MAX_MESSAGE_CHARACTERS);
    throw new Refusal(`${call} failed${said === '' ? '' : `: ${said}`}`);
  }
  const parsed = parseList(stdout.toString('utf8'), entry);
  if (parsed === undefined) throw new Refusal(`${call} answered in a form that is not known here`);
  return parsed;
}

function parseList<T>(text: string, entry: z.ZodType<T>): readonly T[] | undefined {
  const list = z.array(entry);
  try {
    const parsed = z.union([list, z.object({ data: list })]).parse(JSON.parse(text));
    return Array.isArray(parsed) ? parsed : parsed.data;
  } catch {
    return undefined;
  }
}
