import { Refusal } from '../../errors/refusal.js';
import { toOneLine } from '../../errors/sanitize.js';
import { type ReadFile, readBundleFile, statBundleFile } from '../../skill/read-file.js';
import type { Skill } from '../../skill/skill.js';
import { measureOnLine } from '../line-budget.js';

const MIB = 1024 * 1024;
/** Bytes that are read of one file, and of all files of one call. */
const MAX_FILE_BYTES = MIB;
const MAX_CALL_BYTES = 4 * MIB;
/** A text that grows over this on the line is smaller as base64. */
const MAX_TEXT_ON_LINE_BYTES = 4 * MIB;

const MAX_ERROR_CHARACTERS = 1_000;

/** One file as skill_file returns it. Throws a Refusal when it cannot be read. */
export async function readFileEntry(skill: Skill, path: string): Promise<Record<string, unknown>> {
  const file = await readBundleFile(skill, path, MAX_FILE_BYTES);
  const isText = readsAsText(file);
  return {
    path: file.path,
    size: file.size,
    mediaType: file.mediaType,
    encoding: isText ? 'utf-8' : 'base64',
    truncated: file.truncated,
    ...(file.truncationNote !== undefined && { truncationNote: file.truncationNote }),
    ...(file.lfsPointer && { lfsPointer: true }),
    content: isText ? file.text : file.bytes.toString('base64'),
  };
}

/** True when a file is handed over as text; as base64 it would be smaller, or it is none. */
export function readsAsText(file: ReadFile): file is ReadFile & { readonly text: string } {
  return file.text !== undefined && measureOnLine(file.text) <= MAX_TEXT_ON_LINE_BYTES;
}

/**
 * Several files in the order asked for; one that cannot be read has an error in its place. Whether they fit into
 * one call is decided by their sizes before a byte is read; over it, a Refusal.
 */
export async function readFileEntries(
  skill: Skill,
  paths: readonly string[],
): Promise<Record<string, unknown>> {
  const sizes = await Promise.all(paths.map((path) => sizeOf(skill, path)));
  const bytes = sizes.reduce((sum, size) => sum + Math.min(size, MAX_FILE_BYTES), 0);
  if (bytes > MAX_CALL_BYTES) {
    throw new Refusal(`the files are ${bytes} bytes in all, at most ${MAX_CALL_BYTES} are read in one call`, {
      hint: 'nothing was read: ask for fewer paths at a time',
    });
  }
  const files: Record<string, unknown>[] = [];
  // One after the other: eight files at once would be eight buffers at once.
  for (const path of paths) files.push(await readFileEntry(skill, path).catch(asEntry(path)));
  return { skill: skill.name, files };
}

/** A file that cannot be read takes no room; its error comes with its entry. */
async function sizeOf(skill: Skill, path: string): Promise<number> {
  try {
    return (await statBundleFile(skill, path)).size;
  } catch (error) {
    if (error instanceof Refusal) return 0;
    throw error;
  }
}

function asEntry(path: string): (error: unknown) => Record<string, unknown> {
  return (error) => {
    if (!(error instanceof Refusal)) throw error;
    const hint = error.hint === undefined ? '' : `; ${error.hint}`;
    return { path, error: toOneLine(`${error.message}${hint}`, MAX_ERROR_CHARACTERS) };
  };
}
