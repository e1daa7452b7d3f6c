#!/usr/bin/env node
// First of all: nothing that is loaded after this can write to the protocol's stream.
import './mcp/stdio/protocol-output.js';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.js';
import { asksForHelp, findCommand } from './cli/commands.js';
import { failStart, watchStart } from './cli/registry/watch-start.js';
import { describeUsage } from './cli/usage.js';
import { CommandLineError, parseCommandLine } from './config/command-line.js';
import { readSettings } from './config/environment.js';
import { type ScrubOutcome, scrubEnviron } from './config/scrub-environ.js';
import type { StartInput } from './config/start-input.js';
import { toOneLine } from './errors/sanitize.js';
import { createLog } from './mcp/log.js';
import { watchProcess } from './mcp/stdio/process-life.js';
import { protocolOutput } from './mcp/stdio/protocol-output.js';
import { StdioTransport } from './mcp/stdio/transport.js';

/** Set by the build. */
declare const __PACKAGE_VERSION__: string;

const EXIT_FAULT = 1;
const EXIT_USAGE = 2;
const MAX_FAULT_CHARACTERS = 2_000;

async function main(): Promise<void> {
  const variables = { ...process.env };
  const scrub = scrubEnviron(process.env, process.platform);
  const argv = process.argv.slice(2);
  const start: Omit<StartInput, 'arguments'> = {
    variables,
    // Found from this file, which stands in dist/; the working directory is the client's.
    packageSkills: fileURLToPath(new URL('../skills', import.meta.url)),
    nodePath: process.execPath,
    home: attempt(homedir),
    cwd: attempt(() => process.cwd()) ?? '/',
  };
  const command = await findCommand(argv);
  if (command === undefined) return serve(start, argv, scrub);
  if (asksForHelp(argv)) return void protocolOutput.write(command.usage);
  // A reader that has seen enough (`| head`) is no fault.
  protocolOutput.on('error', () => process.exit());
  process.exitCode = await command.run({
    arguments: argv.slice(1),
    start,
    scrub,
    version: __PACKAGE_VERSION__,
    input: process.stdin,
    output: protocolOutput,
    errors: process.stderr,
    now: Date.now,
  });
}

async function serve(
  start: Omit<StartInput, 'arguments'>,
  argv: readonly string[],
  scrub: ScrubOutcome,
): Promise<void> {
  const commandLine = parseCommandLine(argv);
  if (commandLine.help) return void protocolOutput.write(describeUsage());
  if (commandLine.version) return void protocolOutput.write(`${__PACKAGE_VERSION__}\n`);

  const settings = readSettings({ ...start, arguments: commandLine });
  const log = createLog(settings.logLevel, (line) => process.stderr.write(line));
  const { home, cwd } = start;
  const app = createApp({ settings, scrub, version: __PACKAGE_VERSION__, log, home, cwd, now: Date.now });
  for (const note of settings.registry?.notes ?? []) log.warn(note);
  const isAlone = settings.toolsets.every((name) => name === 'registry');
  const early = isAlone ? await app.registry?.checkLocally() : undefined;
  if (early?.fault !== undefined) {
    process.exitCode = failStart(early, process.stderr);
    return;
  }
  const transport = new StdioTransport({
    input: process.stdin,
    output: protocolOutput,
    note: (text) => log.warn(text),
    onFirstAnswer: () => app.scan(),
  });
  if (process.stdin.isTTY)
    log.warn('waiting for an MCP client on stdin; --help tells how to start this server');
  const connection = app.connect(transport);
  watchProcess({
    host: process,
    transport,
    log,
    failedStart: watchStart(app.registry, { isAlone, log, stderr: process.stderr }),
    stopRuns: () => app.stopRuns(),
    close: async (stoppedMs) => {
      await Promise.all([connection.close(), app.close(stoppedMs)]);
    },
  });
}

/** Home and working directory can be missing; neither is worth a failed start. */
function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function describeFault(error: unknown): string {
  if (error instanceof CommandLineError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof CommandLineError;
  process.stderr.write(`skill-mcp: ${toOneLine(describeFault(error), MAX_FAULT_CHARACTERS)}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAULT;
}
