import type { Catalog } from '../../src/catalog/catalog.js';
import { CatalogService, type ScanSettings } from '../../src/catalog/catalog-service.js';
import type { Problem, ProblemReason } from '../../src/skill/problem.js';

/** One whole scan of these roots, the look for deeper skills included. */
export function scan(roots: readonly string[], settings: Partial<ScanSettings> = {}): Promise<Catalog> {
  const service = new CatalogService({ roots, strictYaml: false, depth: 1, maxSkills: 10_000, ...settings });
  return service.settled();
}

/** Names of the skills that are served. */
export function namesOf(catalog: Catalog): string[] {
  return catalog.skills.map(({ name }) => name);
}

/** Problems with one reason. */
export function problemsOf(catalog: Catalog, reason: ProblemReason): Problem[] {
  return catalog.problems.filter((problem) => problem.reason === reason);
}
