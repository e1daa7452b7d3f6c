import { isUtf8 } from 'node:buffer';
import type { Dirent, Stats } from 'node:fs';
import * as fs from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One name in a directory. */
export interface DirectoryEntry {
  /** For a name that is not UTF-8 the escaped form, which addresses nothing. */
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'special';
  /** False: the name is not UTF-8. */
  readonly addressable: boolean;
}

/** A directory's names in code unit order; `cut` when there are more than asked for. */
export interface DirectoryListing {
  readonly entries: readonly DirectoryEntry[];
  readonly cut: boolean;
  /** The directory itself, looked at before it was read. */
  readonly stats: Stats;
}

interface RawEntry {
  readonly bytes: Buffer;
  readonly kind: DirectoryEntry['kind'];
}

// Reading a directory in one call is four times as fast, and unbounded; its own size tells when that matters.
const BIG_DIRECTORY_BYTES = 256 * 1024;
const BATCH = 1024;

// Half the price of the same call in node:fs/promises.
const stat = promisify(fs.stat);

/** Lists a directory without following anything; at most `limit` names. Rejects with the system's errno. */
export async function listDirectory(path: string, limit: number): Promise<DirectoryListing> {
  const stats = await stat(path);
  const found = stats.size > BIG_DIRECTORY_BYTES ? await readBatches(path, limit) : await readAtOnce(path);
  const entries = found.slice(0, limit).map(toEntry);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, cut: found.length > limit, stats };
}

async function readAtOnce(path: string): Promise<RawEntry[]> {
  const found = await readdir(path, { withFileTypes: true, encoding: 'buffer' });
  return found.map((entry) => ({ bytes: entry.name, kind: kindOf(entry) }));
}

async function readBatches(path: string, limit: number): Promise<RawEntry[]> {
  const found: RawEntry[] = [];
  // Latin-1 keeps every byte of a name as one character.
  for await (const entry of await opendir(path, { encoding: 'latin1', bufferSize: BATCH })) {
    found.push({ bytes: Buffer.from(entry.name, 'latin1'), kind: kindOf(entry) });
    if (found.length > limit) break;
  }
  return found;
}

function toEntry({ bytes, kind }: RawEntry): DirectoryEntry {
  const addressable = isUtf8(bytes);
  return { name: addressable ? bytes.toString('utf8') : escapeBytes(bytes), kind, addressable };
}

function kindOf(found: Pick<Dirent, 'isSymbolicLink' | 'isDirectory' | 'isFile'>): DirectoryEntry['kind'] {
  if (found.isSymbolicLink()) return 'link';
  if (found.isDirectory()) return 'directory';
  return found.isFile() ? 'file' : 'special';
}

function escapeBytes(name: Buffer): string {
  const characters = [...name].map((byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return characters.join('');
}
