import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { composeFind } from './app/find-parts.js';
import { CatalogService, type CatalogSource } from './catalog/catalog-service.js';
import type { ScrubOutcome } from './config/scrub-environ.js';
import type { Settings } from './config/settings.js';
import { writeInstructions } from './mcp/instructions.js';
import type { Log } from './mcp/log.js';
import { Publishing } from './mcp/publishing.js';
import { createServer } from './mcp/server.js';
import type { StdioTransport } from './mcp/stdio/transport.js';
import { createFindTools } from './mcp/tools/find-tools.js';
import { createRegistryTools } from './mcp/tools/registry-tools.js';
import { createServeTools } from './mcp/tools/serve-tools.js';
import { selectTools, type ToolGroups } from './mcp/toolsets.js';
import { ToolRunner } from './process/tool-command.js';
import { RegistryService } from './registry/registry-service.js';
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
  /** What `~` stands for; undefined where nobody knows. */
  readonly home: string | undefined;
  /** Base of relative paths, absolute. */
  readonly cwd: string;
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
  /** Undefined where the registry is off. */
  readonly registry: RegistryService | undefined;
  /** Ends everything, the supervisor last. `stoppedMs` ago the runs were told to end. */
  close(stoppedMs: number): Promise<void>;
}

/** Composes the server: settings → catalog → supervisor (lazy) → tools → connections. */
export function createApp({ settings, scrub, version, log, home, cwd, now }: AppOptions): App {
  const catalogService = new CatalogService(settings, now);
  const isServing = settings.toolsets.includes('serve');
  // A find-only server has the example skill of this package nowhere in its answers.
  const hasRoots = isServing || settings.rootsFrom !== 'default';
  const roots = hasRoots ? () => catalogService.ready() : undefined;
  const find = settings.toolsets.includes('find')
    ? composeFind({ settings, home, cwd, roots, now })
    : undefined;
  const catalog: CatalogSource = async (interest) => {
    if (find === undefined) return catalogService.ready(interest);
    if (hasRoots && interest !== undefined) await catalogService.ready(interest);
    return (await find.view()).catalog;
  };
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
  const publishing = new Publishing();
  const programs = new ToolRunner({ env: Object.fromEntries(settings.variables) });
  const registry =
    settings.registry === undefined
      ? undefined
      : new RegistryService({
          settings: settings.registry,
          run: (command) => programs.run(command),
          log,
          now,
          random: Math.random,
        });
  const groups: ToolGroups = {
    registry: () => (registry === undefined ? [] : createRegistryTools(registry)),
    serve: () =>
      createServeTools({
        settings,
        catalog,
        grant,
        scrub,
        runner,
        moreProblems: () => registry?.problems() ?? [],
        readFence: fence,
        supervisorStatus: () => supervisor.status(),
        unpublished: (found) => publishing.problems(found),
      }),
    find: () => (find === undefined ? [] : createFindTools({ ...find, actions: find })),
  };
  const tools = selectTools(groups, settings.toolsets);
  const onChanged = (listener: () => void) => catalogService.onChanged(listener);
  const surfaces = settings.toolsets.includes('serve') ? { catalog, log, publishing, onChanged } : undefined;
  const instructions = writeInstructions(settings.toolsets, registry?.describe());
  const parts = { tools, version, instructions, log, ...(surfaces !== undefined && { surfaces }) };
  return {
    scan: () => {
      if (hasRoots) catalogService.start();
      // Ready before somebody asks; if it cannot be, the first question says why.
      find
        ?.view()
        .then((view) => find.finder.prepare(view.catalog.ordered))
        .catch((error: unknown) => log.debug(`the index was not prepared: ${String(error)}`));
    },
    connect: (transport) =>
      serveStdio(({ era }) => createServer(parts, era), {
        transport,
        onerror: (error) => log.debug(`connection: ${error.message}`),
      }),
    registry,
    stopRuns: () => ending.abort(),
    close: async (stoppedMs) => {
      const graceMs = Math.min(settings.killGraceMs, MAX_FINAL_GRACE_MS);
      const left = Math.max(0, graceMs - stoppedMs);
      await Promise.all([supervisor.close(left), find?.close(left), programs.close(left)]);
      catalogService.close();
    },
  };
}
