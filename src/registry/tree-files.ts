import { MAX_FILE_BYTES } from '../config/registry-settings.js';
import { Refusal } from '../errors/refusal.js';
import type { TreeEntry } from './git-data.js';
import { DIRECTORY_MODE, EXECUTABLE_MODE, FILE_MODE } from './git-hash.js';
import { MAX_FILES, MAX_FOLDER_BYTES } from './payload.js';
import { brokenPathRule, findClash } from './payload-path.js';
import { quote } from './slug.js';

/** The files of a skill's tree. */
export type TreeFiles = ReadonlyMap<string, TreeEntry>;

/** Sorts the rows of a recursive listing; directories are implied by the files in them. */
export function listFiles(entries: readonly TreeEntry[]): TreeFiles {
  return new Map(entries.filter(({ mode }) => mode !== DIRECTORY_MODE).map((entry) => [entry.path, entry]));
}

/** Throws a Refusal when a tree must not be written to a disk: decided from the listing, before any file is fetched. */
export function refuseUnfit(files: TreeFiles, slug: string): void {
  const whole = `the skill ${quote(slug)} is refused`;
  if (files.size > MAX_FILES) throw new Refusal(`${whole}: ${files.size} files, at most ${MAX_FILES}`);
  let total = 0;
  for (const [path, { mode, size = 0 }] of files) {
    const kind = refusedKind(mode);
    if (kind !== undefined) throw new Refusal(`${whole}: ${quote(path)} is ${kind}`);
    const broken = brokenPathRule(path);
    if (broken !== undefined) throw new Refusal(`${whole}: the path ${quote(path)} ${broken}`);
    if (size > MAX_FILE_BYTES) {
      throw new Refusal(`${whole}: ${quote(path)} has ${size} bytes, at most ${MAX_FILE_BYTES}`);
    }
    total += size;
  }
  if (total > MAX_FOLDER_BYTES) {
    throw new Refusal(`${whole}: ${total} bytes in all, at most ${MAX_FOLDER_BYTES}`);
  }
  const clash = findClash([...files.keys()]);
  if (clash !== undefined) throw new Refusal(`${whole}: ${clash}`);
  if (!files.has('SKILL.md')) throw new Refusal(`${quote(slug)} is no skill: it has no SKILL.md`);
}

function refusedKind(mode: string): string | undefined {
  if (mode === FILE_MODE || mode === EXECUTABLE_MODE) return undefined;
  if (mode === '120000') return 'a symbolic link';
  if (mode === '160000') return 'a submodule';
  return `an entry of the unknown mode ${mode}`;
}
