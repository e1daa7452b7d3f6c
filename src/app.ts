import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { CatalogService, type CatalogSource } from './catalog/catalog-service.js';
import type { ScrubOutcome } from './config/scrub-environ.js';
import type { Settings } from './config/settings.js';
import type { Log } from './mcp/log.js';
import { createServer } from './mcp/server.js';
import type { StdioTransport } from './mcp/stdio/transport.js';
import { createServeTools } from './mcp/tools/serve-tools.js';
import { selectTools, type ToolGroups } from './mcp/toolsets.js';
import { Confirmations } from './run/confirm.js';
import { readFence } from './run/fence-demand.js';
import { Grant } from './run/grant.js';
import { ScriptRunner } from './run/script-runner.js';
import { ScriptSupervisor } from './run/script-supervisor.js';

/** At the end of the process a script is given no more than this to end by itself, ms. */
const MAX_FINAL_GRACE_MS = 1_000;

export interface AppOptions {
  readonly settings: Settings;
  readonly scrub: ScrubOutcome;
  readonly version: string;
  readonly log: Log;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** The whole server without its process: what is shared by all connections, and a way to open one. */
export interface App {
  /** Begins the scan unless it has begun; the handshake does not wait for it, the tools do. */
  scan(): void;
  connect(transport: StdioTransport): StdioServerHandle;
  /** Ends the running script and refuses further ones; calls that are open can still be answered. */
  stopRuns(): void;
  /** Ends everything, the supervisor last. `stoppedMs` ago the runs were told to end. */
  close(stoppedMs: number): Promise<void>;
}

/** Composes the server: settings → catalog → supervisor (lazy) → tools → connections. */
export function createApp({ settings, scrub, version, log, now }: AppOptions): App {
  const catalogService = new CatalogService(settings, now);
  const catalog: CatalogSource = (interest) => catalogService.ready(interest);
  const grant = new Grant(settings);
  const supervisor = new ScriptSupervisor(settings, (line) => log.info(line));
  const ending = new AbortController();
  const fence = () => readFence(supervisor.get(), ending.signal);
  const runner = new ScriptRunner({
    settings,
    admission: { settings, grant, scrub, readFence: fence },
    confirmations: new Confirmations(settings, now),
    supervisor: () => supervisor.get(),
    ending: ending.signal,
  });
  const groups: ToolGroups = {
    serve: () =>
      createServeTools({
        settings,
        catalog,
        grant,
        scrub,
        runner,
        readFence: fence,
        supervisorStatus: () => supervisor.status(),
      }),
  };
  const tools = selectTools(groups, settings.toolsets);
  return {
    scan: () => catalogService.start(),
    connect: (transport) =>
      serveStdio(() => createServer({ tools, version, log }), {
        transport,
        onerror: (error) => log.debug(`connection: ${error.message}`),
      }),
    stopRuns: () => ending.abort(),
    close: async (stoppedMs) => {
      const graceMs = Math.min(settings.killGraceMs, MAX_FINAL_GRACE_MS);
      await supervisor.close(Math.max(0, graceMs - stoppedMs));
      catalogService.close();
    },
  };
}
