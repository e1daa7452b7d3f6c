import { parseArgs } from 'node:util';
import { readRegistrySettings } from '../../config/registry-settings.js';
import { Refusal } from '../../errors/refusal.js';
import { toOneLine } from '../../errors/sanitize.js';
import { ToolRunner } from '../../process/tool-command.js';
import { isFault } from '../../registry/fault.js';
import { Operation } from '../../registry/operation.js';
import { RegistryService, type StartFault } from '../../registry/registry-service.js';
import type { Command, CommandInput } from '../command.js';
import { remove } from './delete.js';
import { EXIT_CODES, EXIT_DONE, EXIT_FAILURE, EXIT_USAGE } from './exit-codes.js';
import { get } from './get.js';
import { init } from './init.js';
import { install } from './install.js';
import { list } from './list.js';
import { createProgress } from './progress.js';
import { publish } from './publish.js';
import { rollback } from './rollback.js';
import type { CommandAnswer, OptionValues, Subcommand } from './subcommand.js';
import { UsageError } from './usage-error.js';
import { verify } from './verify.js';

const SUBCOMMANDS: readonly Subcommand[] = [list, get, install, publish, remove, rollback, verify, init];

/** A signal ends this process, and the supervisor of its gh notices: there is nobody else to answer. */
const UNCANCELLED = new AbortController().signal;

const MAX_LINE = 4_000;

/** A start in vain, with its own exit code. */
class StartFailure extends Error {
  constructor(
    readonly fault: StartFault,
    message: string,
  ) {
    super(message);
  }
}

/** Runs `skill-mcp registry …`; resolves with the exit code. */
async function runRegistry(input: CommandInput): Promise<number> {
  const { errors, output } = input;
  const say = (line: string): void => void errors.write(`skill-mcp: ${toOneLine(line, MAX_LINE)}\n`);
  try {
    const { subcommand, positionals, values } = readArguments(input.arguments);
    const answer = await run(subcommand, positionals, values, input, say);
    output.write(`${values.json === true ? JSON.stringify(answer.json) : answer.text}\n`);
    return answer.exitCode ?? EXIT_DONE;
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message);
      errors.write(USAGE);
      return EXIT_USAGE;
    }
    if (error instanceof StartFailure) {
      say(error.message);
      return EXIT_CODES[error.fault];
    }
    if (!(error instanceof Refusal)) throw error;
    say(describeRefusal(error));
    return isFault(error, 'no-login') ? EXIT_CODES['no-login'] : EXIT_FAILURE;
  }
}

function describeRefusal({ code, message, hint }: Refusal): string {
  return `${code === undefined ? '' : `${code} `}${message}${hint === undefined ? '' : `; ${hint}`}`;
}

async function run(
  subcommand: Subcommand,
  positionals: readonly string[],
  values: OptionValues,
  { start: { variables, home, cwd }, errors, now }: CommandInput,
  say: (line: string) => void,
): Promise<CommandAnswer> {
  const settings = readRegistrySettings(variables, home);
  for (const note of settings.notes) say(note);
  const programs = new ToolRunner({ env: variables });
  const isVerbose = settings.logLevel === 'debug';
  const log = { info: (line: string) => (isVerbose ? say(line) : undefined), debug: () => {} };
  const service = new RegistryService({
    settings,
    run: (command) => programs.run(command),
    log,
    now,
    random: Math.random,
  });
  const progress = createProgress(errors);
  try {
    return await subcommand.run(
      {
        settings,
        cwd,
        say,
        now,
        operation: new Operation(UNCANCELLED, progress.show),
        registry: async () => {
          const { fault, message = '' } = await service.checkLocally();
          if (fault !== undefined) throw new StartFailure(fault, message);
          return service.use();
        },
      },
      positionals,
      values,
    );
  } finally {
    progress.clear();
    await programs.close(0);
  }
}

function readArguments([name, ...rest]: readonly string[]) {
  const subcommand = SUBCOMMANDS.find((one) => one.name === name);
  if (subcommand === undefined) {
    throw new UsageError(
      name === undefined ? 'registry needs a subcommand' : `no subcommand ${JSON.stringify(name)}`,
    );
  }
  try {
    const options = { ...subcommand.options, json: { type: 'boolean' as const } };
    const { values, positionals } = parseArgs({ args: rest, strict: true, allowPositionals: true, options });
    const missing = subcommand.positionals[positionals.length];
    if (missing !== undefined) throw new UsageError(`${subcommand.name} needs ${missing}`);
    if (positionals.length > subcommand.positionals.length) {
      throw new UsageError(`${subcommand.name} takes ${subcommand.positionals.length} arguments`);
    }
    return { subcommand, positionals, values: keepScalars(values) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [reason = 'unreadable arguments'] = error instanceof Error ? error.message.split(/[.\n]/) : [];
    throw new UsageError(reason);
  }
}

/** No option may be repeated, so none has a list. */
function keepScalars(values: Readonly<Record<string, unknown>>): OptionValues {
  const rows = Object.entries(values).flatMap(([name, value]): [string, string | boolean][] =>
    typeof value === 'string' || typeof value === 'boolean' ? [[name, value]] : [],
  );
  return Object.fromEntries(rows);
}

const USAGE = `usage: skill-mcp registry SUBCOMMAND [--json]

${SUBCOMMANDS.map(({ shape, summary }) => `  ${shape}\n      ${summary}`).join('\n')}

exit codes: 0 done, 1 failure, 2 usage or configuration, 3 no gh, 4 no login
`;

/** The subcommand `registry`, which has subcommands of its own. */
export const registryCommand: Command = { usage: USAGE, run: runRegistry };
