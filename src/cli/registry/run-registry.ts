import { parseArgs } from 'node:util';
import { readRegistrySettings } from '../../config/registry-settings.js';
import { Refusal } from '../../errors/refusal.js';
import { toOneLine } from '../../errors/sanitize.js';
import { ToolRunner } from '../../process/tool-command.js';
import { isFault } from '../../registry/fault.js';
import { Operation } from '../../registry/operation.js';
import { RegistryService, type StartFault } from '../../registry/registry-service.js';
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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

export interface RegistryCommandParts {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
  readonly cwd: string;
  readonly host: Pick<NodeJS.Process, 'on' | 'stderr'>;
  /** Writes to stdout. */
  readonly write: (text: string) => void;
}

/** Runs `skill-mcp registry …`; resolves with the exit code. */
export async function runRegistry(argv: readonly string[], parts: RegistryCommandParts): Promise<number> {
  const { stderr } = parts.host;
  const say = (line: string): void => void stderr.write(`skill-mcp: ${toOneLine(line, MAX_LINE)}\n`);
  try {
    if (argv.some((argument) => argument === '--help' || argument === '-h')) {
      parts.write(USAGE);
      return EXIT_DONE;
    }
    const { subcommand, positionals, values } = readArguments(argv);
    const answer = await run(subcommand, positionals, values, parts, say);
    parts.write(`${values.json === true ? JSON.stringify(answer.json) : answer.text}\n`);
    return answer.exitCode ?? EXIT_DONE;
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message);
      stderr.write(USAGE);
      return EXIT_USAGE;
    }
    if (error instanceof StartFailure) {
      say(error.message);
      return EXIT_CODES[error.fault];
    }
    if (!(error instanceof Refusal)) throw error;
    say(error.hint === undefined ? error.message : `${error.message}; ${error.hint}`);
    return isFault(error, 'no-login') ? EXIT_CODES['no-login'] : EXIT_FAILURE;
  }
}

async function run(
  subcommand: Subcommand,
  positionals: readonly string[],
  values: OptionValues,
  { variables, home, cwd, host }: RegistryCommandParts,
  say: (line: string) => void,
): Promise<CommandAnswer> {
  const settings = readRegistrySettings(variables, home);
  for (const note of settings.notes) say(note);
  const ending = new AbortController();
  for (const signal of SIGNALS) host.on(signal, () => ending.abort());
  const programs = new ToolRunner({ env: variables });
  const isVerbose = settings.logLevel === 'debug';
  const log = { info: (line: string) => (isVerbose ? say(line) : undefined), debug: () => {} };
  const service = new RegistryService({
    settings,
    run: (command) => programs.run(command),
    log,
    now: Date.now,
    random: Math.random,
  });
  const progress = createProgress(host.stderr);
  try {
    return await subcommand.run(
      {
        settings,
        cwd,
        say,
        now: Date.now,
        operation: new Operation(ending.signal, progress.show),
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
