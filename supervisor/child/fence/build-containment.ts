import type { FenceOptions, Limits } from '../../protocol.js';
import { isOffLimits } from '../../sandbox-root.js';
import { findTool, readProgramName } from '../find-tool.js';
import { enterCgroup, findCgroupFault } from './cgroup.js';
import type { FenceVerdict } from './choose.js';
import type { Containment } from './fence.js';
import { limitPortable, writeLimitCommands } from './limits.js';
import { createNamespace } from './namespace.js';
import { permitNode } from './node-permission.js';
import { portable } from './portable.js';
import { runAs } from './run-as.js';
import { createSandbox } from './sandbox.js';

/** Shells that leave no variable behind which `unset` could not remove. */
const TIDY_SHELLS = new Set(['dash', 'busybox']);

/** Builds the level of the verdict with everything on top of it, or says in one line why that is not to be had. */
export function buildContainment(
  verdict: FenceVerdict,
  options: FenceOptions,
  slots: Limits['slots'],
): Containment | string {
  const { limits, cgroup, nodePermission } = options;
  const fault = findDemandFault(verdict, options, slots);
  if (fault !== undefined) return fault;
  const offLimits = [...options.readable, ...options.writable].find(isOffLimits);
  if (offLimits !== undefined && verdict.level === 'sandbox') return `a sandbox cannot show ${offLimits}`;
  const level = buildLevel(verdict, options);
  if (typeof level === 'string') return level;
  let built = nodePermission ? permitNode(level.containment, options, process.execPath) : level.containment;
  if (options.runAs !== undefined) {
    const setpriv = findTool('setpriv', verdict.searchPath);
    if (setpriv === undefined) return 'setpriv is not to be found on the search path';
    built = runAs(built, options.runAs, setpriv);
  }
  return cgroup === undefined ? built : enterCgroup(built, cgroup, limits, level.env);
}

function findDemandFault(verdict: FenceVerdict, options: FenceOptions, slots: number): string | undefined {
  const { limits, runAs: user, cgroup } = options;
  const isBounded = limits !== undefined || user !== undefined || cgroup !== undefined;
  if (isBounded && process.platform !== 'linux') return `limits, users and control groups are for Linux only`;
  if (limits?.nproc !== undefined && user === undefined) {
    return 'nproc counts all processes of a user: it needs a user of the runs alone';
  }
  if ((limits?.memory !== undefined || limits?.pids !== undefined) && cgroup === undefined) {
    return 'memory and pids are limits of a control group: they need one';
  }
  if (user !== undefined && !verdict.isRoot) return 'only root can run programs as another user';
  if (user !== undefined && slots > 1) return 'a user of its own serves one program at a time';
  return cgroup && findCgroupFault(cgroup, limits);
}

function buildLevel(
  verdict: FenceVerdict,
  options: FenceOptions,
): { containment: Containment; env: string | undefined } | string {
  const limits = writeLimitCommands(options.limits);
  const isTidy = TIDY_SHELLS.has(readProgramName('/bin/sh'));
  const env = isTidy ? undefined : findTool('env', verdict.searchPath);
  if (verdict.level === 'portable') return { containment: limitPortable(portable, limits, env), env };
  const missing = 'a program that the self-test used is not to be found on the search path';
  if (!isTidy && env === undefined) return missing;
  if (verdict.level === 'sandbox') {
    const bwrap = findTool('bwrap', verdict.searchPath);
    return bwrap === undefined
      ? missing
      : { containment: createSandbox({ bwrap, env }, options, limits), env };
  }
  const setpriv = findTool('setpriv', verdict.searchPath);
  const unshare = findTool('unshare', verdict.searchPath);
  if (setpriv === undefined || unshare === undefined) return missing;
  // Another user has no capabilities that would have to be dropped.
  const isRoot = verdict.isRoot && options.runAs === undefined;
  return { containment: createNamespace({ setpriv, unshare, env, isRoot }, limits), env };
}
