import { Refusal } from '../errors/refusal.js';
import { EXECUTABLE_MODE, FILE_MODE, type FileMode, hashBlob, type TreeName } from './git-hash.js';
import { checkPaths } from './payload-path.js';
import { stripProvenance } from './provenance.js';
import { quote } from './slug.js';

/** One file that is to be published. */
export interface PayloadFile {
  readonly bytes: Buffer;
  /** Undefined where the source knows no modes: a file that is there keeps its own. */
  readonly mode: FileMode | undefined;
  readonly sha: string;
}

/** Everything that one skill is made of, checked: paths are plain, SKILL.md is among them, no cap is exceeded. */
export interface Payload {
  readonly files: ReadonlyMap<string, PayloadFile>;
  /** Paths that were left out: hidden entries, caches, special files. */
  readonly skipped: readonly string[];
}

/** What a skill may hold at most. */
export const MAX_FILES = 2_000;
export const MAX_FOLDER_BYTES = 16 * 1024 * 1024;
/** All of `files` travels in one line of the protocol. */
export const MAX_INLINE_BYTES = 8 * 1024 * 1024;

/** Makes one file of a payload. */
export function makeFile(bytes: Buffer, mode: FileMode | undefined): PayloadFile {
  return { bytes, mode, sha: hashBlob(bytes) };
}

/** Reads the `files` of a call. Throws a Refusal naming the key or the limit. */
export function readInlineFiles(files: Readonly<Record<string, unknown>>, maxFileBytes: number): Payload {
  const found = new Map<string, PayloadFile>();
  const keys = checkPaths(Object.keys(files));
  let total = 0;
  for (const [key, path] of keys) {
    const text = files[key];
    if (typeof text !== 'string') throw new Refusal(`files: the value of ${quote(key)} is no text`);
    if (!text.isWellFormed())
      throw new Refusal(`files: the text of ${quote(key)} is not well-formed Unicode`);
    const bytes = Buffer.from(text, 'utf8');
    checkFileSize(path, bytes.length, maxFileBytes);
    total += bytes.length;
    found.set(path, makeFile(bytes, undefined));
  }
  if (total > MAX_INLINE_BYTES) {
    throw new Refusal(`files hold ${total} bytes, at most ${MAX_INLINE_BYTES}`, {
      hint: 'publish a folder on the disk with local_folder instead',
    });
  }
  checkCount(found.size);
  requireSkillMd(found);
  return { files: found, skipped: [] };
}

/** Throws a Refusal that names both figures. */
export function checkFileSize(path: string, bytes: number, maxFileBytes: number): void {
  if (bytes <= maxFileBytes) return;
  throw new Refusal(`${quote(path)} has ${bytes} bytes, at most ${maxFileBytes} (SKILLS_MAX_FILE_BYTES)`);
}

/** Throws a Refusal when there are too many files. */
export function checkCount(count: number): void {
  if (count > MAX_FILES) throw new Refusal(`the skill has ${count} files, at most ${MAX_FILES}`);
}

/** Throws a Refusal when the payload is no skill. */
export function requireSkillMd(files: ReadonlyMap<string, PayloadFile>): void {
  if (files.has('SKILL.md')) return;
  throw new Refusal('SKILL.md is missing at the top of the skill', {
    hint: 'a skill is a folder with a SKILL.md that begins with name and description',
  });
}

/** The files as rows of a git tree; those without a mode of their own get the one that stands in `known`. */
export function toTreeNames(payload: Payload, known?: ReadonlyMap<string, TreeName>): TreeName[] {
  return [...payload.files].map(([path, { mode, sha }]) => ({
    path,
    sha,
    mode: mode ?? (known?.get(path)?.mode === EXECUTABLE_MODE ? EXECUTABLE_MODE : FILE_MODE),
  }));
}

/** The bytes of SKILL.md, which every payload holds. */
export function readSkillMd({ files }: Payload): Buffer {
  const file = files.get('SKILL.md');
  if (file === undefined) throw new Error('a payload always holds SKILL.md');
  return file.bytes;
}

/** Where an installed skill came from is the business of its place, not of its content: it is not published. */
export function withoutProvenance(payload: Payload): Payload {
  const before = readSkillMd(payload);
  const bytes = stripProvenance(before);
  if (bytes === before) return payload;
  const mode = payload.files.get('SKILL.md')?.mode;
  return { ...payload, files: new Map([...payload.files, ['SKILL.md', makeFile(bytes, mode)]]) };
}
