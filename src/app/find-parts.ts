import { dirname, join } from 'node:path';
import type { Catalog } from '../catalog/catalog.js';
import { FindCatalog, type FindView, type ReadFindView } from '../catalog/find-catalog.js';
import { ConfigStore } from '../config/config-store.js';
import { readFindPaths } from '../config/find-paths.js';
import type { Settings } from '../config/settings.js';
import { Finder } from '../find/find.js';
import { ToolRunner } from '../process/tool-command.js';
import { makeProblem } from '../skill/make-problem.js';
import type { SyncProgress } from '../source/source.js';
import { SourceSyncer } from '../source/sync.js';

/** What the group `find` is composed from, in a server as on the command line. */
export interface FindPartsOptions {
  readonly settings: Settings;
  /** What `~` stands for; undefined where nobody knows. */
  readonly home: string | undefined;
  /** Base of relative paths, absolute. */
  readonly cwd: string;
  /** The catalog of the roots; undefined where no root counts. */
  readonly roots: (() => Promise<Catalog>) | undefined;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly onProgress?: SyncProgress;
}

/** The parts of the group `find`. */
export interface FindParts {
  readonly view: ReadFindView;
  readonly finder: Finder;
  readonly store: ConfigStore;
  readonly syncer: SourceSyncer;
  /** False on a host whose operator has not said which config is the agents' to change. */
  readonly mayChange: boolean;
  /** Ends what syncs have started; a supervisor that never was needs no end. */
  readonly close: (graceMs?: number) => Promise<void>;
}

/** Composes config, sources, catalog and finder. Starts and reads nothing yet. */
export function composeFind(options: FindPartsOptions): FindParts {
  const { settings, home, cwd, roots, now, onProgress } = options;
  const { variables } = settings;
  const paths = readFindPaths(variables, home, cwd);
  const store = new ConfigStore(paths.config);
  const ending = new AbortController();
  let runner: ToolRunner | undefined;
  const syncer = new SourceSyncer({
    cache: paths.cache,
    runner: () => {
      runner ??= new ToolRunner({ env: Object.fromEntries(variables) });
      return runner;
    },
    variables,
    home,
    timeoutMs: paths.syncTimeoutMs,
    now,
    signal: ending.signal,
    ...(onProgress !== undefined && { onProgress }),
  });
  const catalog = new FindCatalog({
    roots,
    store,
    cache: paths.cache,
    home,
    strictYaml: settings.strictYaml,
  });
  const ofVariables = paths.problems.map(({ variable, detail }) => makeProblem(variable, 'config', detail));
  const view = async (): Promise<FindView> => {
    const read = await catalog.read();
    return ofVariables.length === 0 ? read : { ...read, problems: [...ofVariables, ...read.problems] };
  };
  return {
    view,
    finder: new Finder({ variables, providersFile: join(dirname(paths.config), 'providers.json') }),
    store,
    syncer,
    mayChange: !settings.hosted || paths.isConfigGiven,
    close: async (graceMs) => {
      ending.abort();
      await runner?.close(graceMs);
    },
  };
}
