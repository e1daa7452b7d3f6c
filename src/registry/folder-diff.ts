import type { TreeName } from './git-hash.js';

/** One file that a publication changes. */
export interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** What turns the old files into the new ones, sorted by path; another mode counts as a change. */
export function diffFiles(
  old: ReadonlyMap<string, Pick<TreeName, 'sha' | 'mode'>>,
  rows: readonly TreeName[],
): FileChange[] {
  const kept = new Set(rows.map(({ path }) => path));
  const changes: FileChange[] = [];
  for (const { path, sha, mode } of rows) {
    const before = old.get(path);
    if (before === undefined) changes.push({ path, change: 'added' });
    else if (before.sha !== sha || before.mode !== mode) changes.push({ path, change: 'changed' });
  }
  for (const path of old.keys()) if (!kept.has(path)) changes.push({ path, change: 'removed' });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
