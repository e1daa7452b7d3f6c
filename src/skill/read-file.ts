import type { BundleFile, Skill } from './skill.js';

/** What reading needs to know of a skill. */
export type Bundle = Pick<Skill, 'name' | 'directory' | 'files'>;

/** A bundled file, read up to a cap. */
export interface ReadFile {
  readonly path: string;
  /** Bytes on the disk, however many were read. */
  readonly size: number;
  readonly mediaType: string;
  /** `utf-8`: `text` is there, cut at a character; `base64`: it is not text, take `bytes`. */
  readonly encoding: 'utf-8' | 'base64';
  /** Valid UTF-8 without NUL; undefined for anything else. A leading BOM is kept. */
  readonly text: string | undefined;
  /** What was read, at most the cap; for text cut at a character. */
  readonly bytes: Buffer;
  readonly truncated: boolean;
  readonly truncationNote?: string;
  /** The file is a Git LFS pointer, not the asset. */
  readonly lfsPointer: boolean;
}

/** Size of a bundled file from stat alone; no byte is read. Throws the same Refusals as readBundleFile. */
export async function statBundleFile(_bundle: Bundle, _path: string): Promise<BundleFile> {
  throw new Error('not written yet');
}

/**
 * Reads at most `cap` bytes of a bundled file. Throws a Refusal: path rule, not found (with near names),
 * unreadable, not a regular file, resolves outside, changed while reading.
 */
export async function readBundleFile(_bundle: Bundle, _path: string, _cap: number): Promise<ReadFile> {
  throw new Error('not written yet');
}
