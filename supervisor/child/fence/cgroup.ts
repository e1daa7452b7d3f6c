import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ResourceLimits } from '../../protocol.js';
import { pause } from '../deadline.js';
import { SpawnFailure } from '../spawn.js';
import type { Containment, Survivors } from './fence.js';
import { SHELL_VARIABLES } from './init.js';

/** statfs(2) type of control groups, version 2. */
const CGROUP2_MAGIC = 0x63677270;

/** A killed group is empty within a few ms; later than this something is badly wrong, ms. */
const EMPTY_LIMIT_MS = 500;
const POLL_MS = 1;

/** Enters the group, then becomes the program: whatever it starts is born into the group. */
const ENTER = 'echo 0 >"$1/cgroup.procs" || exit 126; shift; unset PWD OLDPWD SHLVL; exec "$@"';

/** Puts every run into a control group of its own, below `parent`; killing that leaves no loophole. */
export function enterCgroup(
  inner: Containment,
  parent: string,
  limits: ResourceLimits | undefined,
  env: string | undefined,
): Containment {
  const groupOf = (runId: string): string => join(parent, `run-${runId}`);
  const tidy = env === undefined ? [] : [env, '-u', '_'];
  return {
    ...inner,
    unavailableVariables: SHELL_VARIABLES,
    wrap: (work) => {
      const { file, args } = inner.wrap(work);
      const group = groupOf(work.runId);
      makeGroup(group, limits);
      return { file: '/bin/sh', args: ['-c', ENTER, 'cgroup', group, ...tidy, file, ...args] };
    },
    kill: (subject) => {
      inner.kill(subject);
      killGroup(groupOf(subject.runId));
    },
    endLeft: async (runId) => {
      await inner.endLeft?.(runId);
      await removeGroup(groupOf(runId));
    },
    clear: async (subject, ageMs, words): Promise<Survivors> => {
      const { killed } = await inner.clear(subject, ageMs, words);
      const group = groupOf(subject.runId);
      const left = countMembers(group);
      return { killed: killed + left, possible: !(await removeGroup(group)) };
    },
  };
}

/** Why runs cannot have control groups below this directory; undefined when they can. Switches the controllers on. */
export function findCgroupFault(parent: string, limits: ResourceLimits | undefined): string | undefined {
  try {
    if (statfsSync(parent).type !== CGROUP2_MAGIC) return `${parent} is no control group of version 2`;
    accessSync(join(parent, 'cgroup.procs'), constants.W_OK);
  } catch {
    return `${parent} is no control group that can be written`;
  }
  for (const controller of ['memory', 'pids'] as const) {
    if (limits?.[controller] === undefined) continue;
    try {
      writeFileSync(join(parent, 'cgroup.subtree_control'), `+${controller}`);
    } catch {
      return `the control group ${parent} does not hand the ${controller} controller on`;
    }
  }
  return undefined;
}

/** Throws SpawnFailure: the tree may be full, or have been taken away since it was tested. */
function makeGroup(group: string, limits: ResourceLimits | undefined): void {
  try {
    mkdirSync(group);
    if (limits?.memory !== undefined) writeFileSync(join(group, 'memory.max'), String(limits.memory));
    if (limits?.pids !== undefined) writeFileSync(join(group, 'pids.max'), String(limits.pids));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new SpawnFailure(`no control group could be made for the run: ${code}`);
  }
}

function killGroup(group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.kill'), '1');
  } catch {
    // removed already
  }
}

function countMembers(group: string): number {
  try {
    return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).length;
  } catch {
    return 0;
  }
}

/** A group can be removed once nothing lives in it: that is the proof. */
async function removeGroup(group: string): Promise<boolean> {
  const end = performance.now() + EMPTY_LIMIT_MS;
  for (;;) {
    try {
      rmdirSync(group);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
      if (performance.now() > end) return false;
      killGroup(group);
      await pause(POLL_MS);
    }
  }
}
