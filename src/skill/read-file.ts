import { isUtf8 } from 'node:buffer';
import { mediaType } from './media-type.js';
import { locateInside } from './open-inside.js';
import { readCapped } from './read-capped.js';
import { type Bundle, refuseFile, requireAddressable } from './refuse-file.js';
import type { BundleFile } from './skill.js';
import { cutAtCharacter } from './utf8.js';

/** A bundled file, read up to a cap. */
export interface ReadFile {
  readonly path: string;
  /** Bytes on the disk, however many were read. */
  readonly size: number;
  readonly mediaType: string;
  /** `utf-8`: `text` is there; `base64`: it is not text, take `bytes`. */
  readonly encoding: 'utf-8' | 'base64';
  /** Valid UTF-8 without NUL; undefined for anything else. A leading BOM is kept. */
  readonly text: string | undefined;
  /** What was read, at most the cap; of a text, cut at a character. */
  readonly bytes: Buffer;
  readonly truncated: boolean;
  readonly truncationNote?: string;
  /** The file is a Git LFS pointer, not the asset. */
  readonly lfsPointer: boolean;
}

/** Size of a bundled file from stat alone; no byte is read. Throws the same Refusals as readBundleFile. */
export async function statBundleFile(bundle: Bundle, path: string): Promise<BundleFile> {
  requireAddressable(path);
  const located = await locateInside(bundle.directory, path);
  if ('fault' in located) throw refuseFile(bundle, path, located);
  return { path, size: Number(located.stat.size) };
}

/**
 * Reads at most `cap` bytes of a bundled file. Throws a Refusal: path rule, not found (with near names),
 * unreadable, not a regular file, resolves outside, too long, changed while reading.
 */
export async function readBundleFile(bundle: Bundle, path: string, cap: number): Promise<ReadFile> {
  requireAddressable(path);
  const read = await readCapped(bundle.directory, path, cap);
  if ('fault' in read) throw refuseFile(bundle, path, read);
  const { size, truncated } = read;
  const whole = truncated ? cutAtCharacter(read.bytes) : read.bytes;
  const isText = isUtf8(whole) && !whole.includes(0);
  const bytes = isText ? whole : read.bytes;
  const text = isText ? bytes.toString('utf8') : undefined;
  return {
    path,
    size,
    mediaType: mediaType(path),
    encoding: isText ? 'utf-8' : 'base64',
    text,
    bytes,
    truncated,
    ...(truncated ? { truncationNote: `first ${bytes.length} of ${size} bytes` } : {}),
    lfsPointer: text !== undefined && isLfsPointer(text, size),
  };
}

// The pointer format: its specification caps a pointer at 1,024 bytes and fixes the first line.
function isLfsPointer(text: string, size: number): boolean {
  return (
    size <= 1024 &&
    text.startsWith('version https://git-lfs.github.com/spec/') &&
    /^oid sha256:[0-9a-f]{64}$/m.test(text)
  );
}
