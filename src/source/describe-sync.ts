import type { GenerationRecord } from './generations.js';
import type { SyncOutcome } from './source.js';

/** Longest list of names in an outcome. */
const MAX_NAMES = 100;

/** The outcome of a sync that succeeded; `before` is what an earlier one had brought. */
export function describeSync(
  id: string,
  status: 'synced' | 'unchanged',
  record: GenerationRecord,
  before?: GenerationRecord,
): SyncOutcome {
  const now = new Set(record.skills);
  const vanished = before?.skills.filter((name) => !now.has(name)) ?? [];
  return {
    id,
    ok: true,
    status,
    ...(record.sha !== undefined && { sha: record.sha }),
    skills: record.skills.length,
    ...(vanished.length > 0 && { vanished: vanished.slice(0, MAX_NAMES) }),
    ...(record.warnings.length > 0 && { warnings: record.warnings.slice(0, MAX_NAMES) }),
  };
}
