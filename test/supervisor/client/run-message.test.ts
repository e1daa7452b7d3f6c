import { describe, expect, it } from 'vitest';
import { SupervisorRefusal } from '../../../supervisor/client/errors.js';
import { LIMITS, type RunRequest } from '../../../supervisor/client/options.js';
import { measureRun } from '../../../supervisor/client/run-message.js';
import { MAX_ARGUMENT_BYTES, MAX_HEADER_BYTES } from '../../../supervisor/protocol.js';

const measure = (change: Partial<RunRequest>) =>
  measureRun(1, 'abcdefgh', { file: '/bin/true', cwd: '/', ...change }, LIMITS);

function refusalOf(change: Partial<RunRequest>): string {
  try {
    measure(change);
  } catch (error) {
    expect(error).toBeInstanceOf(SupervisorRefusal);
    expect(error).toHaveProperty('code', 'invalid');
    return error instanceof Error ? error.message : '';
  }
  return 'not refused';
}

describe('a request becomes a message', () => {
  it('with the defaults: no arguments, an empty environment, 60 s, no stdin, no tail', () => {
    expect(measure({})).toEqual({
      message: {
        type: 'run',
        id: 1,
        runId: 'abcdefgh',
        file: '/bin/true',
        args: [],
        cwd: '/',
        env: {},
        timeoutMs: 60_000,
        tail: false,
        stdin: false,
      },
      body: undefined,
    });
  });

  it('with stdin as the body, text as UTF-8, and an empty one as a body of no bytes', () => {
    expect(measure({ stdin: '€' })).toMatchObject({ message: { stdin: true }, body: Buffer.from('€') });
    expect(measure({ stdin: new Uint8Array([1, 2]) }).body).toEqual(Buffer.from([1, 2]));
    expect(measure({ stdin: '' })).toMatchObject({ message: { stdin: true }, body: Buffer.alloc(0) });
  });

  it('with a tail only for those who listen', () => {
    expect(measure({ onTail: () => {} }).message.tail).toBe(true);
  });
});

describe('a request that would not pass is refused before anything is sent', () => {
  it('one argument beyond what the kernel takes, with both sizes', () => {
    expect(measure({ args: ['x'.repeat(MAX_ARGUMENT_BYTES)] }).message.args).toHaveLength(1);
    expect(refusalOf({ args: ['a', 'x'.repeat(MAX_ARGUMENT_BYTES + 1)] })).toBe(
      'argument 2 is 131072 bytes, at most 131071 are allowed',
    );
    // Bytes, not characters.
    expect(refusalOf({ args: ['€'.repeat(50_000)] })).toContain('150000 bytes');
  });

  it('one NAME=value beyond it, by its name and without its value', () => {
    const message = refusalOf({ env: { SECRET: 'hunter2'.repeat(20_000) } });
    expect(message).toContain('the variable "SECRET" is 140007 bytes');
    expect(message).not.toContain('hunter2');
  });

  it('stdin beyond the limit', () => {
    expect(refusalOf({ stdin: Buffer.alloc(LIMITS.stdinBytes + 1) })).toBe(
      'stdin is 1048577 bytes, at most 1048576 are allowed',
    );
  });

  it('all of it together beyond one message', () => {
    const args = Array.from({ length: 11 }, () => 'x'.repeat(100_000));
    const message = refusalOf({ args });
    expect(message).toContain(`at most ${MAX_HEADER_BYTES} fit`);
  });

  it.each<[string, Partial<RunRequest>, RegExp]>([
    ['a relative program', { file: 'node' }, /program must be an absolute path/],
    ['a relative directory', { cwd: 'here' }, /directory must be an absolute path/],
    ['a NUL in the program', { file: '/bin/\0true' }, /the program holds a NUL/],
    ['a NUL in an argument', { args: ['a\0b'] }, /argument 1 holds a NUL/],
    ['a NUL in a value', { env: { A: 'secret\0' } }, /the variable "A" holds a NUL/],
    ['a name with an equals sign', { env: { 'A=B': 'x' } }, /name that cannot be passed on/],
    ['an empty name', { env: { '': 'x' } }, /name that cannot be passed on/],
    [
      'a name that JSON would lose',
      { env: JSON.parse('{"__proto__":"x"}') },
      /name that cannot be passed on/,
    ],
    ['no timeout', { timeoutMs: 0 }, /timeoutMs/],
    ['a fraction of a millisecond', { timeoutMs: 0.5 }, /timeoutMs/],
    ['a timeout beyond the limit', { timeoutMs: 300_001 }, /300001 ms, at most 300000/],
  ])('%s', (_name, change, expected) => {
    const message = refusalOf(change);
    expect(message).toMatch(expected);
    expect(message).not.toContain('secret');
  });
});
