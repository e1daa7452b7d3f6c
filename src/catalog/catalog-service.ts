import { setTimeout as wait } from 'node:timers/promises';
import type { Problem } from '../skill/problem.js';
import type { Catalog } from './catalog.js';
import { ChangeNotice } from './change-notice.js';
import { createCatalog } from './create-catalog.js';
import { LiveScan } from './live-scan.js';
import { hasMoved, reportDeeperSkills } from './report-deeper.js';
import type { Scan, ScanSettings } from './scan-roots.js';

export type { ScanSettings } from './scan-roots.js';

/** Names of the skills that a caller is about to answer of, out of the newest catalog. */
export type Interest = (newest: Catalog) => Iterable<string>;

/** How tools get at the catalog: as it is on the disk at the call. */
export type CatalogSource = (interest?: Interest) => Promise<Catalog>;

// How long an answer waits for the look below what was scanned: ordinary roots are done in a tenth of it.
const DEEPER_LOOK_WAIT_MS = 250;

/** While somebody listens for changes and nobody asks, the disk is looked at this often, ms. */
const LOOK_INTERVAL_MS = 1_000;
/** A look is followed by a pause of so many times its own length: three percent of a processor at most. */
const PAUSE_FACTOR = 30;

const NOBODY: Interest = () => [];

/** The catalog, brought up to date at every call. Tools wait for the first scan, the handshake does not. Never rejects. */
export class CatalogService {
  readonly #live: LiveScan;
  readonly #notice = new ChangeNotice();
  #scan: Scan | undefined;
  #newest: Catalog = createCatalog([], []);
  #deeperProblems: readonly Problem[] = [];
  #deeperLook: Promise<void> = Promise.resolve();
  #interests: Interest[] = [];
  #running: Promise<Catalog> | undefined;
  #queued: Promise<Catalog> | undefined;
  #nextLook: NodeJS.Timeout | undefined;
  #isScanned = false;
  #stopped = false;

  /** `now`: ms since 1970, by the clock that the file system stamps files with. */
  constructor(settings: ScanSettings, now: () => number = Date.now) {
    this.#live = new LiveScan(settings, now, () => this.#stopped);
  }

  /** Begins the first scan and returns at once. */
  start(): void {
    // Whoever asks is told of a mistake; nobody has asked yet.
    if (this.#running === undefined) this.ready().catch(() => undefined);
  }

  /**
   * The catalog as it is on the disk now; the very same object while nothing changes, and so is each skill in it. The
   * bundles of the skills in `interest` are looked at file by file; see Freshness for the others. Problems are those of
   * roots and skills alone: those of the settings and of the grant are the caller's to add. Skills that lie too deep
   * are in it when they were found within a quarter of a second, else in a later answer.
   */
  ready(interest: Interest = NOBODY): Promise<Catalog> {
    this.#interests.push(interest);
    // A look in flight may have passed the place that changed just before this call: another one follows it, for all
    // who came meanwhile.
    const before = this.#running?.catch(() => undefined) ?? Promise.resolve();
    this.#queued ??= before.then(() => {
      this.#queued = undefined;
      this.#running = this.#refresh(this.#interests.splice(0));
      return this.#running;
    });
    return this.#queued;
  }

  /** As ready, but with the look for skills that lie deeper than is scanned, however long it takes. */
  async settled(): Promise<Catalog> {
    await this.ready();
    await this.#deeperLook;
    return this.#newest;
  }

  /**
   * Calls `listener` once for each burst of changes of the skills, with or without anybody asking for the catalog; returns the way to
   * end that. While there are listeners, the disk is looked at about once a second.
   */
  onChanged(listener: () => void): () => void {
    const remove = this.#notice.add(listener);
    this.#scheduleLook(LOOK_INTERVAL_MS);
    return remove;
  }

  /** Stops a scan in flight; what was not looked at stays out. */
  close(): void {
    this.#stopped = true;
    clearTimeout(this.#nextLook);
    this.#notice.close();
  }

  async #refresh(interests: readonly Interest[]): Promise<Catalog> {
    const names = new Set(interests.flatMap((interest) => [...interest(this.#newest)]));
    const before = this.#scan;
    const scan = await this.#live.refresh(names);
    if (scan !== before) {
      this.#scan = scan;
      this.#keep(scan);
      this.#isScanned = true;
      if (before === undefined || hasMoved(before, scan)) {
        this.#deeperLook = this.#lookDeeper(scan);
        await Promise.race([this.#deeperLook, wait(DEEPER_LOOK_WAIT_MS, undefined, { ref: false })]);
      }
    }
    return this.#newest;
  }

  async #lookDeeper(scan: Scan): Promise<void> {
    const isOver = () => this.#stopped || this.#scan !== scan;
    const problems = await reportDeeperSkills(scan, isOver);
    if (this.#scan !== scan) return;
    this.#deeperProblems = problems;
    this.#keep(scan);
  }

  #keep(scan: Scan): void {
    const catalog = createCatalog(scan.skills, [...scan.problems, ...this.#deeperProblems]);
    const areSkillsSame = isSameList(this.#newest.skills, catalog.skills);
    if (areSkillsSame && JSON.stringify(this.#newest.problems) === JSON.stringify(catalog.problems)) return;
    this.#newest = catalog;
    if (!areSkillsSame && this.#isScanned) this.#notice.announce();
  }

  #scheduleLook(afterMs: number): void {
    if (this.#nextLook !== undefined || this.#stopped) return;
    this.#nextLook = setTimeout(async () => {
      const startMs = performance.now();
      if (this.#notice.hasListeners) await this.ready().catch(() => undefined);
      this.#nextLook = undefined;
      const tookMs = performance.now() - startMs;
      if (this.#notice.hasListeners) this.#scheduleLook(Math.max(LOOK_INTERVAL_MS, tookMs * PAUSE_FACTOR));
    }, afterMs);
    this.#nextLook.unref();
  }
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
