import { readlink, realpath, stat } from 'node:fs/promises';
import { describeErrno, isAbsent } from '../errors/errno.js';

/** Where a symlink leads. */
export type LinkTarget =
  | { readonly realPath: string; readonly kind: 'file' | 'directory' | 'special'; readonly target: string }
  /** It leads nowhere, in a circle, or through what may not be read. */
  | { readonly broken: string; readonly target: string };

/** Follows a symlink to its end; never rejects. `target` is the link's own text. */
export async function followLink(path: string): Promise<LinkTarget> {
  const target = await readlink(path).catch(() => '?');
  try {
    const realPath = await realpath(path);
    const found = await stat(realPath);
    const kind = found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'special';
    return { realPath, kind, target };
  } catch (error) {
    const why = isAbsent(error) ? 'its target does not exist' : describeErrno(error);
    return { broken: `broken symlink -> ${target} (${why})`, target };
  }
}
