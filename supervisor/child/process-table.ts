import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import type { ProcessIdentity } from '../protocol.js';

/** One process as /proc/PID/stat tells it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** Clock ticks after boot; together with the pid it names a process for good. */
  readonly startTime: number;
}

/** Longest /proc/PID/stat is a few hundred bytes; one buffer for all spares the collector. */
const scratch = Buffer.allocUnsafe(4096);

/** Fields after the command's name: state is the first of them, field 3 of the line. */
const FIRST_FIELD = 3;
const GROUP_FIELD = 5;
const SESSION_FIELD = 6;
const START_TIME_FIELD = 22;

/** The process, or undefined when there is none (a zombie is one still: see `isGone`). */
export function readProcess(pid: number): ProcessEntry | undefined {
  const line = readShort(`/proc/${pid}/stat`);
  if (line === undefined) return undefined;
  // The name may hold anything, blanks and parentheses too: fields start after the last one.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): string => fields[number - FIRST_FIELD] ?? '';
  return {
    pid,
    state: field(FIRST_FIELD),
    group: Number(field(GROUP_FIELD)),
    session: Number(field(SESSION_FIELD)),
    startTime: Number(field(START_TIME_FIELD)),
  };
}

/** A zombie does nothing any more: where nobody reaps, it would otherwise count as alive for ever. */
export function isGone(entry: ProcessEntry | undefined): boolean {
  return entry === undefined || entry.state === 'Z' || entry.state === 'X';
}

/** The process with its start time, so that it can be told from a later one of the same number. */
export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: readProcess(pid)?.startTime ?? null };
}

/** Whether exactly this process still runs. Without a start time nobody can say: false. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.startTime === null) return false;
  const entry = readProcess(identity.pid);
  return !isGone(entry) && entry?.startTime === identity.startTime;
}

/** The effective user of a process; undefined when it is gone. */
export function readUser(pid: number): number | undefined {
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(readShort(`/proc/${pid}/status`) ?? '')?.[1];
  return uid === undefined ? undefined : Number(uid);
}

/** Numbers of all processes; empty where there is no /proc. */
export function listProcesses(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** The child that is process 1 of a namespace of its own, or undefined while there is none. */
export function readInitBelow(pid: number): number | undefined {
  const child = Number.parseInt(readShort(`/proc/${pid}/task/${pid}/children`) ?? '', 10);
  if (!(child > 0)) return undefined;
  // Other versions of the wrapper might fork a helper first: only the real one may be taken for the init.
  const numbers = /^NSpid:\s+(.*)$/m.exec(readShort(`/proc/${child}/status`) ?? '')?.[1]?.split(/\s+/) ?? [];
  return numbers.length > 1 && numbers.at(-1) === '1' ? child : undefined;
}

/** The number that the kernel gave away last, or undefined where it does not say. */
export function readLastPid(): number | undefined {
  const last = Number((readShort('/proc/loadavg') ?? '').trim().split(' ').at(-1));
  return Number.isInteger(last) && last > 0 ? last : undefined;
}

/** The environment that a process was started with; undefined when it is gone or not ours to read. */
export function readEnvironment(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}

function readShort(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    return scratch.toString('latin1', 0, readSync(fd, scratch, 0, scratch.byteLength, 0));
  } catch {
    return undefined; // it ended between open and read
  } finally {
    closeSync(fd);
  }
}
