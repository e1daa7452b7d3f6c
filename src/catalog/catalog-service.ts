import { setTimeout } from 'node:timers/promises';
import type { Catalog } from './catalog.js';
import { createCatalog } from './create-catalog.js';
import { reportDeeperSkills } from './report-deeper.js';
import { type Scan, type ScanSettings, scanRoots } from './scan-roots.js';

export type { ScanSettings } from './scan-roots.js';

// How long an answer waits for the look below what was scanned: ordinary roots are done in a tenth of it.
const DEEPER_LOOK_WAIT_MS = 250;

/** Scans the roots once, in the background; tools wait for it, the handshake does not. Never rejects. */
export class CatalogService {
  readonly #settings: ScanSettings;
  #scanned: Promise<Catalog> | undefined;
  #settled: Promise<Catalog> | undefined;
  #waited: Promise<unknown> | undefined;
  #newest: Catalog | undefined;
  #stopped = false;

  constructor(settings: ScanSettings) {
    this.#settings = settings;
  }

  /** Begins the scan and returns at once. */
  start(): void {
    void this.settled();
  }

  /**
   * The newest catalog; begins the scan when nobody has. Its problems are those of the roots and skills alone:
   * those of the settings and of the grant are the caller's to add. Skills that lie too deep are in it when they
   * were found within a quarter of a second, else in a later answer.
   */
  async ready(): Promise<Catalog> {
    const settled = this.settled();
    const scanned = await this.#scanned;
    this.#waited ??= Promise.race([settled, setTimeout(DEEPER_LOOK_WAIT_MS, undefined, { ref: false })]);
    await this.#waited;
    return this.#newest ?? scanned ?? settled;
  }

  /** As ready, but with the look for skills that lie deeper than is scanned, however long it takes. */
  settled(): Promise<Catalog> {
    if (this.#settled === undefined) {
      const scan = scanRoots(this.#settings, () => this.#stopped);
      this.#scanned = scan.then((found) => this.#keep(createCatalog(found.skills, found.problems)));
      this.#settled = this.#lookDeeper(scan, this.#scanned);
    }
    return this.#settled;
  }

  /** Stops a scan in flight; what was not looked at stays out. */
  close(): void {
    this.#stopped = true;
  }

  async #lookDeeper(scan: Promise<Scan>, scanned: Promise<Catalog>): Promise<Catalog> {
    const [found, catalog] = await Promise.all([scan, scanned]);
    const deeper = await reportDeeperSkills(found, () => this.#stopped);
    if (deeper.length === 0) return catalog;
    return this.#keep(createCatalog(found.skills, [...found.problems, ...deeper]));
  }

  #keep(catalog: Catalog): Catalog {
    this.#newest = catalog;
    return catalog;
  }
}
