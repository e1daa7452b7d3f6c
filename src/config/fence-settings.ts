import { posix } from 'node:path';
import type { FenceLevel, FenceOptions, FenceRequest } from '../../supervisor/index.js';
import { readResourceLimits } from './resource-limits.js';
import type { ValueReader } from './value-reader.js';

/** How runs are to be contained; with a fault, none may start. */
export interface FenceSettings {
  readonly fence: FenceRequest;
  readonly minFence: FenceLevel | undefined;
  readonly fenceOptions: FenceOptions;
  readonly fenceFault: string | undefined;
}

const LEVELS = ['portable', 'namespace', 'sandbox'] as const satisfies readonly FenceLevel[];
const REQUESTS = ['auto', ...LEVELS] as const satisfies readonly FenceRequest[];

// Numbers that the kernel keeps for itself begin above.
const HIGHEST_ID = 2 ** 32 - 2;

/**
 * Reads the fence variables. Whatever is not understood fails closed: containment that somebody asks for and does not
 * get must stop the run, not be overlooked. A granted folder that makes no sense is no containment, and left out.
 */
export function readFence(reader: ValueReader): FenceSettings {
  const faults: string[] = [];
  const demand = <Value>(name: string, parse: (text: string) => Value | string): Value | undefined => {
    const text = reader.text(name);
    const value = text === undefined ? undefined : parse(text);
    if (typeof value !== 'string') return value;
    faults.push(`${name} ${value}`);
    return undefined;
  };
  const word = <Word extends string>(name: string, words: readonly Word[]): Word | undefined =>
    demand(name, (text) => {
      const found = words.find((candidate) => candidate === text);
      return found === undefined ? `must be one of ${words.join(', ')}` : { found };
    })?.found;
  const fence = word('SKILL_MCP_FENCE', REQUESTS) ?? 'auto';
  const minFence = word('SKILL_MCP_MIN_FENCE', LEVELS);
  const limits = demand('SKILL_MCP_LIMITS', readResourceLimits);
  const runAs = demand('SKILL_MCP_RUN_AS', readUser);
  const cgroup = demand('SKILL_MCP_CGROUP', (text) =>
    posix.isAbsolute(text) ? { path: text } : 'must be an absolute path',
  )?.path;
  const nodePermission = demand('SKILL_MCP_NODE_PERMISSION', readSwitch)?.on ?? false;
  for (const fault of faults) reader.report(fault.split(' ', 1)[0] ?? '', `${fault}; no script runs`);
  return {
    fence,
    minFence,
    fenceOptions: {
      readable: readFolders(reader, 'SKILL_MCP_SANDBOX_READ'),
      writable: [...readFolders(reader, 'SKILL_MCP_SANDBOX_WRITE'), ...readDataFolder(reader)],
      ...(limits !== undefined && { limits }),
      ...(runAs !== undefined && { runAs }),
      ...(cgroup !== undefined && { cgroup }),
      ...(nodePermission && { nodePermission }),
    },
    fenceFault: faults[0],
  };
}

function readUser(text: string): { uid: number; gid: number } | string {
  const [, uid, gid] = /^(\d{1,10}):(\d{1,10})$/.exec(text)?.map(Number) ?? [];
  const isId = (id: number | undefined): id is number => id !== undefined && id > 0 && id <= HIGHEST_ID;
  return isId(uid) && isId(gid) ? { uid, gid } : 'must read uid:gid, two numbers above 0';
}

function readSwitch(text: string): { on: boolean } | string {
  if (['0', 'false', 'no', 'off'].includes(text.toLowerCase())) return { on: false };
  return ['1', 'true', 'yes', 'on'].includes(text.toLowerCase()) ? { on: true } : 'must be 1 or 0';
}

/** Folders are named for Linux only, so the separator is always a colon. */
function readFolders(reader: ValueReader, name: string): string[] {
  const folders = (reader.text(name) ?? '').split(':').filter((folder) => folder.trim() !== '');
  const good = folders.filter(isGrantable).map((folder) => posix.resolve(folder));
  if (good.length < folders.length) {
    reader.report(name, 'must hold absolute paths outside /proc, /dev and /sys; the others are left out');
  }
  return [...new Set(good)];
}

function readDataFolder(reader: ValueReader): string[] {
  const folder = reader.text('MCP_DATA_DIR');
  return folder !== undefined && isGrantable(folder) ? [posix.resolve(folder)] : [];
}

/** A sandbox has these of its own; with the machine's it would be none. */
function isGrantable(folder: string): boolean {
  return posix.isAbsolute(folder) && !/^\/(?:$|(?:proc|dev|sys)(?:$|\/))/.test(posix.resolve(folder));
}
