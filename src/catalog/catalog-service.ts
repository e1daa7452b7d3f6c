import type { Settings } from '../config/settings.js';
import type { Catalog } from './catalog.js';

/** What of the settings a scan depends on. */
export type ScanSettings = Pick<Settings, 'roots' | 'strictYaml' | 'depth' | 'maxSkills'>;

/** Scans the roots once, in the background; tools wait for it, the handshake does not. Never rejects. */
export class CatalogService {
  constructor(_settings: ScanSettings) {}

  /** Begins the scan and returns at once. */
  start(): void {
    throw new Error('not written yet');
  }

  /**
   * The newest catalog; begins the scan when nobody has. Its problems are those of the roots and skills alone:
   * those of the settings and of the grant are the caller's to add.
   */
  async ready(): Promise<Catalog> {
    throw new Error('not written yet');
  }

  /** As ready, but with the look for skills that lie deeper than is scanned. */
  async settled(): Promise<Catalog> {
    throw new Error('not written yet');
  }

  /** Stops a scan in flight; what was not looked at stays out. */
  close(): void {}
}
