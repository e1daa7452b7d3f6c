import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandLineError } from '../config/command-line.js';
import { redactSecrets } from '../errors/redact.js';
import { applyConfig, locateConfig, readConfig, revertConfig } from '../opencode/config-file.js';
import { compareCoverage } from '../opencode/coverage.js';
import { type CutoverPlan, planCutover } from '../opencode/cutover.js';
import { diffLines } from '../opencode/diff.js';
import { listSkills, type OpencodeOptions } from '../opencode/opencode-state.js';
import { verifyCutover } from '../opencode/verify.js';
import { ToolRunner } from '../process/tool-command.js';
import { readBody } from '../skill/skill-md.js';
import { type CommandEdges, DONE, FAILED, type FindCommand, printJson } from './find-command.js';

interface Options {
  readonly config: string | undefined;
  readonly disable: readonly string[];
  readonly program: string;
  readonly directory: string;
}

type Action = (options: Options, edges: CommandEdges) => Promise<number>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['plan', plan],
  ['apply', apply],
  ['verify', verify],
  ['revert', revert],
  ['coverage', coverage],
]);

/** Moves an OpenCode setup to this server, and back. */
export const opencodeCommand: FindCommand = {
  usage: ['opencode plan|apply|verify|revert|coverage [--config FILE] [--disable NAME]...'],
  help: `Takes the list of skills out of OpenCode's context and puts this server in its place.

  plan        print the difference that apply would make; writes nothing
  apply       back up OpenCode's config, then edit it: only the entries named in the plan change
  verify      ask OpenCode what it has loaded, and check it; writes nothing
  revert      put the newest backup back, byte for byte; what it replaces is kept beside it
  coverage    compare the skills that OpenCode lists with those served here; exit code 1 when one is missing

  --config FILE     OpenCode's config; else SKILLS_MCP_OPENCODE_CONFIG, else ~/.config/opencode/opencode.jsonc
  --disable NAME    an MCP server to switch off as well; may be repeated
  --opencode FILE   the opencode program for verify and coverage; else the one on PATH
  --dir DIR         the project that verify and coverage ask about; else the working directory

Read the plan first. After apply let OpenCode reload, then verify.
`,
  run: async (args, edges) => {
    const [name, ...rest] = args;
    const action = name === undefined ? undefined : ACTIONS.get(name);
    if (action === undefined) {
      const wrong =
        name === undefined ? 'opencode needs an action' : `unknown action ${JSON.stringify(name)}`;
      throw new CommandLineError(`${wrong}: ${[...ACTIONS.keys()].join(', ')}`);
    }
    return action(parseOptions(rest, edges), edges);
  },
};

function parseOptions(args: readonly string[], { start }: CommandEdges): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        config: { type: 'string' },
        disable: { type: 'string', multiple: true },
        opencode: { type: 'string' },
        dir: { type: 'string' },
      },
    });
    return {
      config: values.config,
      disable: [...new Set(values.disable ?? [])],
      program: values.opencode ?? 'opencode',
      directory: values.dir ?? start.cwd,
    };
  } catch (error) {
    const [reason = 'unreadable arguments'] = error instanceof Error ? error.message.split(/[.\n]/) : [];
    throw new CommandLineError(reason);
  }
}

interface Planned {
  readonly path: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly plan: CutoverPlan;
}

async function makePlan(options: Options, edges: CommandEdges): Promise<Planned> {
  const path = await locate(options, edges);
  const { bytes, text } = await readConfig(path);
  const command = [...edges.program, '--toolsets', 'find'];
  const plugin = join(edges.packageDirectory, 'dist', 'opencode-plugin.js');
  return { path, bytes, text, plan: planCutover(text, { command, plugin, disable: options.disable }) };
}

async function plan(options: Options, edges: CommandEdges): Promise<number> {
  const planned = await makePlan(options, edges);
  const { changes, text } = planned.plan;
  const diff = redactSecrets(diffLines(planned.text, text, planned.path));
  edges.writeOut(changes.length === 0 ? `nothing to change in ${planned.path}\n` : diff);
  return DONE;
}

async function apply(options: Options, edges: CommandEdges): Promise<number> {
  const { path, bytes, plan: planned } = await makePlan(options, edges);
  const { changes, text } = planned;
  const backup = changes.length === 0 ? undefined : await applyConfig(path, bytes, text, edges.now);
  printJson(edges, { config: path, changes, ...(backup !== undefined && { backup }) });
  return DONE;
}

async function revert(options: Options, edges: CommandEdges): Promise<number> {
  const path = await locate(options, edges);
  const { restored, kept } = await revertConfig(path, edges.now);
  printJson(edges, { config: path, restored, ...(kept !== undefined && { kept }) });
  return DONE;
}

async function verify(options: Options, edges: CommandEdges): Promise<number> {
  return askOpencode(options, edges, async (opencode) => {
    const checks = await verifyCutover(opencode, options.disable);
    const ok = checks.every((check) => check.ok);
    printJson(edges, { ok, checks });
    return ok ? DONE : FAILED;
  });
}

async function coverage(options: Options, edges: CommandEdges): Promise<number> {
  return askOpencode(options, edges, async (opencode) => {
    const listed = await listSkills(opencode);
    const { catalog } = await edges.find().view();
    const compared = await compareCoverage(listed, (name) => {
      const skill = catalog.find(name);
      if (skill === undefined) return undefined;
      return { directory: skill.directory, readBody: async () => (await readBody(skill)).body };
    });
    printJson(edges, compared);
    if (compared.missing.length === 0) return DONE;
    edges.writeError(`skill-mcp: not served here: ${compared.missing.join(', ')}\n`);
    return FAILED;
  });
}

async function askOpencode(
  { program, directory }: Options,
  { start }: CommandEdges,
  work: (opencode: OpencodeOptions) => Promise<number>,
): Promise<number> {
  const variables = readVariables(start);
  const runner = new ToolRunner({ env: Object.fromEntries(variables) });
  try {
    return await work({ runner, variables, program, directory });
  } finally {
    await runner.close();
  }
}

function locate({ config }: Options, { start }: CommandEdges): Promise<string> {
  return locateConfig(config, readVariables(start), start.home, start.cwd);
}

function readVariables({ variables }: CommandEdges['start']): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(variables).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
