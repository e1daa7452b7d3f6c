import { isUtf8 } from 'node:buffer';
import { RegistryFault } from './fault.js';
import type { GitData, NewTreeEntry } from './git-data.js';
import { hashFiles, type TreeName } from './git-hash.js';
import type { Operation } from './operation.js';
import type { Payload } from './payload.js';
import type { TreeFiles } from './tree-files.js';

/** Text that travels inside one request, bytes: GitHub gives up on requests of a few megabytes. */
const INLINE_BYTES = 1_000_000;

/**
 * Makes the tree of a skill on GitHub: texts inside the request that makes the tree, everything else as blobs of its
 * own; what the old tree holds already is not sent again. The answer is compared with our own hash.
 */
export async function uploadFolder(
  git: GitData,
  operation: Operation,
  payload: Payload,
  rows: readonly TreeName[],
  old: TreeFiles,
): Promise<string> {
  const expected = hashFiles(rows);
  const known = new Set([...old.values()].map(({ sha }) => sha));
  const batches: NewTreeEntry[][] = [[]];
  let room = INLINE_BYTES;
  for (const { path, mode, sha } of rows) {
    const bytes = payload.files.get(path)?.bytes;
    const entry = { path, mode, type: 'blob' } as const;
    if (bytes === undefined || known.has(sha)) batches.at(-1)?.push({ ...entry, sha });
    else if (canTravelInline(bytes)) {
      if (bytes.length > room) {
        batches.push([]);
        room = INLINE_BYTES;
      }
      room -= bytes.length;
      batches.at(-1)?.push({ ...entry, content: bytes.toString('utf8') });
    } else {
      await git.createBlob(operation, bytes);
      // The same bytes under another name are not sent again.
      known.add(sha);
      batches.at(-1)?.push({ ...entry, sha });
    }
  }
  let base: string | undefined;
  for (const batch of batches) base = (await git.createTree(operation, batch, base)).sha;
  if (base !== expected) {
    throw new RegistryFault(
      'rejected',
      `${git.repository.host} made another tree than the one that was sent`,
      {
        hint: 'nothing was published',
      },
    );
  }
  return base;
}

/** Control characters are rewritten on the way by some versions of gh, and a byte-order mark may get lost. */
function canTravelInline(bytes: Buffer): boolean {
  if (bytes.length > INLINE_BYTES || !isUtf8(bytes)) return false;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return false;
  return !bytes.some(
    (byte) => (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f,
  );
}
