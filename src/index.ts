#!/usr/bin/env node
// First of all: nothing that is loaded after this can write to the protocol's stream.
import './mcp/stdio/protocol-output.js';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.js';
import { isCommand, runCommand } from './cli/run-command.js';
import { USAGE } from './cli/usage.js';
import { CommandLineError, parseCommandLine } from './config/command-line.js';
import { readSettings } from './config/environment.js';
import { scrubEnviron } from './config/scrub-environ.js';
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

/** Of a terminal that does not tell its width. */
const USUAL_COLUMNS = 80;

function main(): void {
  const variables = { ...process.env };
  const scrub = scrubEnviron(process.env, process.platform);
  const start = {
    variables,
    // Found from this file, which stands in dist/; the working directory is the client's.
    packageSkills: fileURLToPath(new URL('../skills', import.meta.url)),
    nodePath: process.execPath,
    home: attempt(homedir),
    cwd: attempt(() => process.cwd()) ?? '/',
  };
  if (isCommand(process.argv.slice(2))) {
    runAsCommand(start);
    return;
  }
  const commandLine = parseCommandLine(process.argv.slice(2));
  if (commandLine.help) return void protocolOutput.write(USAGE);
  if (commandLine.version) return void protocolOutput.write(`${__PACKAGE_VERSION__}\n`);

  const settings = readSettings({ ...start, arguments: commandLine });
  const log = createLog(settings.logLevel, (line) => process.stderr.write(line));
  const { home, cwd } = start;
  const app = createApp({ settings, scrub, version: __PACKAGE_VERSION__, log, home, cwd, now: Date.now });
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
    stopRuns: () => app.stopRuns(),
    close: async (stoppedMs) => {
      await Promise.all([connection.close(), app.close(stoppedMs)]);
    },
  });
}

/** A command for people: does its work, says so and ends. */
function runAsCommand(start: Omit<StartInput, 'arguments'>): void {
  // A reader that went away, as in `| head`, is no failure.
  protocolOutput.on('error', () => process.exit());
  const program = [process.execPath, fileURLToPath(import.meta.url)] as const;
  void runCommand(process.argv.slice(2), {
    start,
    writeOut: (text) => protocolOutput.write(text),
    writeError: (text) => process.stderr.write(text),
    columns: process.stderr.isTTY ? process.stderr.columns || USUAL_COLUMNS : undefined,
    program,
    packageDirectory: fileURLToPath(new URL('..', import.meta.url)),
    now: Date.now,
  })
    .catch((error: unknown) => {
      process.stderr.write(`skill-mcp: ${toOneLine(describeFault(error), MAX_FAULT_CHARACTERS)}\n`);
      return EXIT_FAULT;
    })
    .then((code) => {
      process.exitCode = code;
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
  main();
} catch (error) {
  const isUsage = error instanceof CommandLineError;
  process.stderr.write(`skill-mcp: ${toOneLine(describeFault(error), MAX_FAULT_CHARACTERS)}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAULT;
}
