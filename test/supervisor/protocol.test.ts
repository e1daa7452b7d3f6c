import { describe, expect, it } from 'vitest';
import {
  FromChild,
  MAX_ARGUMENT_BYTES,
  maxBodyFromChild,
  maxBodyToChild,
  PROTOCOL_VERSION,
  ToChild,
} from '../../supervisor/protocol.js';

const envelope = { v: PROTOCOL_VERSION, incarnation: 'abc' };
const run = {
  ...envelope,
  type: 'run',
  id: 1,
  runId: 'abcdefgh',
  file: '/bin/true',
  args: [],
  cwd: '/',
  env: {},
  timeoutMs: 1000,
  tail: false,
  stdin: false,
};
const fence = { level: 'portable', network: 'host' };
const finished = {
  ...envelope,
  type: 'finished',
  id: 1,
  exitCode: 0,
  signal: null,
  timedOut: false,
  cancelled: false,
  timeoutMs: 1000,
  durationMs: 1.5,
  keptBytes: { stdout: 0, stderr: 0 },
  totalBytes: { stdout: 0, stderr: 0 },
  truncated: { stdout: false, stderr: false },
  env: [],
  fence,
  survivors: { killed: 0, possible: false },
  scriptChanged: false,
};
const limits = {
  slots: 1,
  whenFull: 'refuse',
  streamBytes: 1,
  stdinBytes: 1,
  maxTimeoutMs: 1,
  graceMs: 1,
  reservedNames: [],
  reservedPrefixes: [],
};

const toChild = [
  { ...envelope, type: 'hello', limits, fence: 'auto', orphans: [] },
  run,
  { ...envelope, type: 'cancel', id: 1 },
  { ...envelope, type: 'ping', n: 1 },
  { ...envelope, type: 'bye', graceMs: 0 },
];
const fromChild = [
  { ...envelope, type: 'ready', pid: 1, fence },
  { ...envelope, type: 'started', id: 1, leader: { pid: 1, startTime: null } },
  { ...envelope, type: 'tail', id: 1, line: '', stdoutBytes: 0, stderrBytes: 0 },
  finished,
  { ...envelope, type: 'refused', id: 1, code: 'busy', message: 'x' },
  { ...envelope, type: 'pong', n: 1 },
];
const all = [
  ...toChild.map((message) => ({ direction: 'to the child', schema: ToChild, message })),
  ...fromChild.map((message) => ({ direction: 'from the child', schema: FromChild, message })),
].map((row) => ({ ...row, type: row.message.type }));

describe.each(all)('$type, $direction', ({ schema, message }) => {
  const accepts = (value: unknown): boolean => schema.safeParse(value).success;

  it('is accepted as it is', () => {
    expect(schema.parse(message)).toEqual(message);
  });

  it('is refused in another version, without an incarnation, or with a word too many', () => {
    expect(accepts({ ...message, v: PROTOCOL_VERSION + 1 })).toBe(false);
    expect(accepts({ ...message, incarnation: '' })).toBe(false);
    expect(accepts({ ...message, extra: true })).toBe(false);
  });

  it('is refused when any of its words is missing', () => {
    for (const key of Object.keys(message)) {
      const { [key as 'type']: _gone, ...rest } = message;
      expect(accepts(rest), key).toBe(false);
    }
  });

  it('is refused in the other direction', () => {
    const other = schema === ToChild ? FromChild : ToChild;
    expect(other.safeParse(message).success).toBe(false);
  });
});

describe('a run', () => {
  const accepts = (change: object): boolean => ToChild.safeParse({ ...run, ...change }).success;

  it('names its program and directory by absolute paths', () => {
    expect(accepts({ file: 'node' })).toBe(false);
    expect(accepts({ cwd: '.' })).toBe(false);
    expect(accepts({ file: 'C:\\node.exe' })).toBe(true);
  });

  it('has a mark that can stand in an environment and is long enough not to be met by chance', () => {
    expect(accepts({ runId: 'short' })).toBe(false);
    expect(accepts({ runId: 'a b c d e f g' })).toBe(false);
  });

  it('has a timeout', () => {
    expect(accepts({ timeoutMs: 0 })).toBe(false);
    expect(accepts({ timeoutMs: 1.5 })).toBe(false);
  });

  it('pins a script by lower-case sha256, device and inode', () => {
    const script = {
      path: '/s/x',
      root: '/s',
      sha256: 'a'.repeat(64),
      dev: '1',
      ino: '18446744073709551615',
    };
    expect(accepts({ script })).toBe(true);
    expect(accepts({ script: { ...script, sha256: 'A'.repeat(64) } })).toBe(false);
    expect(accepts({ script: { ...script, path: 'x' } })).toBe(false);
  });
});

describe('sizes', () => {
  it('the frame caps follow from the limits', () => {
    expect(maxBodyToChild({ stdinBytes: 7 })).toBe(7);
    expect(maxBodyFromChild({ streamBytes: 7 })).toBe(14);
  });

  it('an argument leaves room for its terminating NUL in the 128 KiB of the kernel', () => {
    expect(MAX_ARGUMENT_BYTES + 1).toBe(128 * 1024);
  });
});
