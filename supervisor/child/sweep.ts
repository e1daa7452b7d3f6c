import { type ProcessIdentity, RUN_ID_VARIABLE } from '../protocol.js';
import { pause } from './deadline.js';
import {
  isAlive,
  isGone,
  listProcesses,
  type ProcessEntry,
  readEnvironment,
  readLastPid,
  readProcess,
} from './process-table.js';
import { sweepByPs } from './sweep-by-ps.js';

/** A sweep that does not come to an end (something forks faster than we look) stops after this, ms. */
const SWEEP_LIMIT_MS = 500;

/** A process that forks and exits can hide from one pass; from this many in a row it hardly can. */
const CLEAN_PASSES = 3;

/** Between passes in which something was found: a killed process needs a moment to be gone, ms. */
const AGAIN_MS = 1;

/** Processes looked at before other runs get their turn. */
const BATCH = 256;

/** Within so short a life nobody can have used up all process numbers, so newer means larger, ms. */
const NO_WRAP_MS = 100;

export interface SweepTarget {
  readonly runId: string;
  /** The run's first process: leader of its session and group, older than everything it started. */
  readonly leader?: ProcessIdentity | undefined;
  /** The leader was alive a moment ago, so its number still names its session and group. */
  readonly ownsGroup: boolean;
  /** How long ago the leader was started, ms; unknown for what a dead supervisor left. */
  readonly ageMs?: number;
}

export interface SweepResult {
  /** Processes that were found alive and ended. */
  readonly killed: number;
  /** False: time was up before a pass came back empty. */
  readonly clean: boolean;
}

interface Pass {
  readonly carriers: ProcessEntry[];
  /** Every process could be read: none was just being born. */
  readonly certain: boolean;
}

/** Ends every process that carries the run's id in its environment, or is in the leader's session or group. */
export async function sweep(target: SweepTarget): Promise<SweepResult> {
  if (process.platform !== 'linux') return sweepByPs(target.runId);
  const killed = new Set<string>();
  const end = performance.now() + SWEEP_LIMIT_MS;
  let cleanPasses = 0;
  while (cleanPasses < CLEAN_PASSES) {
    const lastPid = readLastPid();
    if (isUntouched(target, lastPid)) return { killed: killed.size, clean: true };
    const pass = await lookThrough(target, listCandidates(target, lastPid));
    for (const entry of pass.carriers) {
      killEntry(entry);
      killed.add(`${entry.pid}:${entry.startTime}`);
    }
    if (pass.carriers.length > 0) {
      cleanPasses = 0;
      if (performance.now() > end) return { killed: killed.size, clean: false };
      await pause(AGAIN_MS);
    } else {
      // No number was given away since the pass began: nothing can have been born behind its back.
      if (pass.certain && lastPid !== undefined && readLastPid() === lastPid) break;
      cleanPasses += 1;
    }
  }
  return { killed: killed.size, clean: true };
}

/** One pass without a pause, for the moment in which we die ourselves. */
export function sweepOnce(target: SweepTarget): void {
  for (const pid of listProcesses()) {
    const entry = findCarrier(target, pid, cookieOf(target), findOwnGroup(target));
    if (typeof entry === 'object') killEntry(entry);
  }
}

/** True when no process at all was started after the leader: the usual case, for the price of one read. */
function isUntouched(target: SweepTarget, lastPid: number | undefined): boolean {
  return isYoung(target) && lastPid === target.leader?.pid && !isAlive(target.leader);
}

function isYoung(target: SweepTarget): target is SweepTarget & { leader: ProcessIdentity } {
  return target.leader !== undefined && target.ageMs !== undefined && target.ageMs < NO_WRAP_MS;
}

function listCandidates(target: SweepTarget, lastPid: number | undefined): number[] {
  const all = listProcesses();
  // A last number below the leader's means that counting began anew, or that the host tells stories.
  if (!isYoung(target) || lastPid === undefined || lastPid < target.leader.pid) return all;
  return all.filter((pid) => pid >= target.leader.pid);
}

async function lookThrough(target: SweepTarget, pids: readonly number[]): Promise<Pass> {
  const cookie = cookieOf(target);
  const group = findOwnGroup(target);
  const carriers: ProcessEntry[] = [];
  let certain = true;
  for (const [index, pid] of pids.entries()) {
    if (index > 0 && index % BATCH === 0) await new Promise(setImmediate);
    const found = findCarrier(target, pid, cookie, group);
    if (found === 'unknown') certain = false;
    else if (found !== 'other') carriers.push(found);
  }
  return { carriers, certain };
}

/** Number of the session and group, unless somebody else has been given it since. */
function findOwnGroup({ leader, ownsGroup }: SweepTarget): number | undefined {
  if (leader === undefined || !ownsGroup) return undefined;
  const holder = readProcess(leader.pid);
  return holder === undefined || holder.startTime === leader.startTime ? leader.pid : undefined;
}

function findCarrier(
  target: SweepTarget,
  pid: number,
  cookie: Buffer,
  group: number | undefined,
): ProcessEntry | 'other' | 'unknown' {
  if (pid <= 1 || pid === process.pid) return 'other';
  const entry = readProcess(pid);
  if (entry === undefined || isGone(entry)) return 'other';
  if (entry.startTime < (target.leader?.startTime ?? 0)) return 'other';
  if (group !== undefined && (entry.group === group || entry.session === group)) return entry;
  const environment = readEnvironment(pid);
  if (environment === undefined) return 'other';
  // Between its birth and its first instruction a process has no environment to be read.
  if (environment.byteLength === 0) return 'unknown';
  const at = environment.indexOf(cookie);
  return at === 0 || (at > 0 && environment[at - 1] === 0) ? entry : 'other';
}

function cookieOf(target: SweepTarget): Buffer {
  return Buffer.from(`${RUN_ID_VARIABLE}=${target.runId}\0`, 'latin1');
}

/** Looks once more before it shoots: the number may belong to somebody else by now. */
function killEntry(entry: ProcessEntry): void {
  if (!isAlive({ pid: entry.pid, startTime: entry.startTime })) return;
  try {
    process.kill(entry.pid, 'SIGKILL');
  } catch {
    // gone between the look and the shot
  }
}
