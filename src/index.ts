#!/usr/bin/env node
// First of all: nothing that is loaded after this can write to the protocol's stream.
import './mcp/stdio/protocol-output.js';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.js';
import { USAGE } from './cli/usage.js';
import { CommandLineError, parseCommandLine } from './config/command-line.js';
import { readSettings } from './config/environment.js';
import { scrubEnviron } from './config/scrub-environ.js';
import { createLog } from './mcp/log.js';
import { watchProcess } from './mcp/stdio/process-life.js';
import { protocolOutput } from './mcp/stdio/protocol-output.js';
import { StdioTransport } from './mcp/stdio/transport.js';

/** Set by the build. */
declare const __PACKAGE_VERSION__: string;

const EXIT_USAGE = 2;

function main(): void {
  const variables = { ...process.env };
  const scrub = scrubEnviron(process.env, process.platform);
  const commandLine = parseCommandLine(process.argv.slice(2));
  if (commandLine.help) return void protocolOutput.write(USAGE);
  if (commandLine.version) return void protocolOutput.write(`${__PACKAGE_VERSION__}\n`);

  const settings = readSettings({
    variables,
    arguments: commandLine,
    // Found from this file, which stands in dist/; the working directory is the client's.
    packageSkills: fileURLToPath(new URL('../skills', import.meta.url)),
    nodePath: process.execPath,
    home: attempt(homedir),
    cwd: attempt(() => process.cwd()) ?? '/',
  });
  const log = createLog(settings.logLevel, (line) => process.stderr.write(line));
  const app = createApp({ settings, scrub, version: __PACKAGE_VERSION__, log, now: Date.now });
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
      await connection.close();
      await app.close(stoppedMs);
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

try {
  main();
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`skill-mcp: ${error.message}\n`);
  process.exitCode = EXIT_USAGE;
}
