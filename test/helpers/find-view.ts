import type { FindView } from '../../src/catalog/find-catalog.js';
import type { FindConfig } from '../../src/config/find-config.js';
import { makeConfig } from './find-scope.js';
import { scan } from './scan.js';

/** A view of the skills below these roots, without any source. */
export async function scanView(
  roots: readonly string[],
  config: FindConfig = makeConfig(),
  fault?: string,
): Promise<FindView> {
  const catalog = await scan(roots);
  return {
    catalog: { ...catalog, ordered: catalog.skills },
    config,
    stored: [],
    problems: [],
    ...(fault !== undefined && { fault }),
  };
}

/** A call of which nobody follows the progress and that nobody cancels. */
export const CALL = { signal: new AbortController().signal };
