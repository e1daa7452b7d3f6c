import type { ConfigStore } from '../config/config-store.js';
import type { FindConfig } from '../config/find-config.js';
import type { SourceSpec } from '../config/source-spec.js';
import { toOneLine } from '../errors/sanitize.js';
import { makeProblem } from '../skill/make-problem.js';
import type { Problem } from '../skill/problem.js';
import { CachedSource, type ReadOptions } from '../source/cached-source.js';
import type { SourceSkills } from '../source/source.js';
import type { Catalog } from './catalog.js';
import { createCatalog } from './create-catalog.js';
import { type MergedCatalog, mergeCatalog } from './merge.js';

const MAX_FAULT_CHARACTERS = 500;

/** What the find tools answer from: one catalog and one config that belong together. */
export interface FindView {
  /** The same object as before while nothing has changed. */
  readonly catalog: MergedCatalog;
  /** Of the file as it is now, or of its last whole version. */
  readonly config: FindConfig;
  /** The configured sources as they stand in the file, in order of priority. */
  readonly stored: readonly unknown[];
  /** Those of the catalog's problems that config and sources have caused. */
  readonly problems: readonly Problem[];
  /** Why config or sources are not as they should be, one sanitised line; undefined when all is well. */
  readonly fault?: string;
  /** The part of `fault` that is the file's: its last whole version is in force. */
  readonly configFault?: string;
}

/** Hands out the newest view: a changed config or source counts from the next call on. Never rejects. */
export type ReadFindView = () => Promise<FindView>;

/** What the view is made of. */
export interface FindCatalogOptions extends ReadOptions {
  /** The catalog of the roots; undefined where no root counts. */
  readonly roots: (() => Promise<Catalog>) | undefined;
  readonly store: ConfigStore;
}

/** Roots and configured sources as one live catalog. Reads the disk only. */
export class FindCatalog {
  readonly #options: FindCatalogOptions;
  #sources = new Map<string, CachedSource>();
  #parts: readonly unknown[] = [];
  #merged: MergedCatalog | undefined;

  constructor(options: FindCatalogOptions) {
    this.#options = options;
  }

  /** The newest view. Never rejects. */
  async read(): Promise<FindView> {
    const { roots, store } = this.#options;
    const { config, problems, stored, fault } = await store.read();
    const cached = this.#keepSources(config.sources);
    const rootCatalog = roots === undefined ? NO_ROOTS : await roots();
    const sources = await Promise.all(cached.map((source) => source.read()));
    const configFault = fault === undefined ? undefined : `the config ${store.path} is broken: ${fault}`;
    const catalog = this.#merge(rootCatalog, sources, problems, configFault);
    const faults = [configFault, ...sources.map((source) => source.fault)].filter(
      (text) => text !== undefined,
    );
    const ofRoots = new Set(rootCatalog.problems);
    return {
      catalog,
      config,
      stored,
      problems: catalog.problems.filter((problem) => !ofRoots.has(problem)),
      ...(configFault !== undefined && { configFault }),
      ...(faults.length > 0 && { fault: toOneLine(faults.join('; '), MAX_FAULT_CHARACTERS) }),
    };
  }

  /** A source whose entry has not changed keeps what was read of it. */
  #keepSources(specs: readonly SourceSpec[]): readonly CachedSource[] {
    const sources = specs.map((spec): [string, CachedSource] => {
      const key = JSON.stringify(spec);
      return [key, this.#sources.get(key) ?? new CachedSource(spec, this.#options)];
    });
    this.#sources = new Map(sources);
    return sources.map(([, source]) => source);
  }

  #merge(
    roots: Catalog,
    sources: readonly SourceSkills[],
    problems: readonly string[],
    configFault: string | undefined,
  ): MergedCatalog {
    const parts = [roots, problems, configFault, ...sources];
    const isSame =
      parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index]);
    if (isSame && this.#merged !== undefined) return this.#merged;
    const { path } = this.#options.store;
    const details = configFault === undefined ? problems : [configFault, ...problems];
    const named: Problem[] = details.map((detail) => makeProblem(path, 'config', detail));
    const config: SourceSkills = { id: 'config', skills: [], problems: named };
    this.#parts = parts;
    this.#merged = mergeCatalog(roots, [config, ...sources]);
    return this.#merged;
  }
}

const NO_ROOTS: Catalog = createCatalog([], []);
