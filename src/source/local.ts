import { stat } from 'node:fs/promises';
import type { LocalSpec } from '../config/source-spec.js';
import { describeErrno } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';
import { findSkills, type SourceTree } from './find-skills.js';
import type { SyncOutcome } from './source.js';

/** Where a local source's skills lie. Its owner chose it: links directly below may lead out of it. */
export function locateLocal(spec: LocalSpec, home: string | undefined): SourceTree {
  const base = home === undefined ? spec.path : spec.path.replace(/^~(?=$|[\\/])/, () => home);
  return { id: spec.id, base, paths: ['.'], trusted: true };
}

/** Nothing is copied: says whether the directory can be read and what is in it. Throws a Refusal when it cannot. */
export async function syncLocal(spec: LocalSpec, home: string | undefined): Promise<SyncOutcome> {
  const tree = locateLocal(spec, home);
  try {
    if (!(await stat(tree.base)).isDirectory()) throw new Refusal(`${tree.base} is not a directory`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${tree.base}: ${describeErrno(error)}`);
  }
  const { candidates } = await findSkills(tree);
  return { id: spec.id, ok: true, status: 'synced', skills: candidates.length };
}
