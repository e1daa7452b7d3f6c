import { describe, expect, it } from 'vitest';
import { checkArguments, checkStdin } from '../../src/run/arguments.js';

describe('arguments', () => {
  it('may be anything that a program can be given', () => {
    checkArguments(['-e', '$(id)', 'a b', '\n', '"', '', '😀', '--', "'; rm -rf /"]);
    checkArguments(Array.from({ length: 64 }, () => 'x'.repeat(128)));
  });

  it.each([
    [Array.from({ length: 65 }, () => ''), /65 arguments, at most 64/],
    [['x'.repeat(8_193)], /8193 bytes in all, at most 8192/],
    [Array.from({ length: 3 }, () => 'é'.repeat(1_400)), /8400 bytes/],
    [['ok', 'a\0b'], /args\[1\] holds a NUL/],
    [['\ud800'], /args\[0\] holds half a character/],
  ])('are refused otherwise', (args, expected) => {
    expect(() => checkArguments(args)).toThrow(expected);
  });
});

describe('stdin', () => {
  it('is at most 1 MiB of UTF-8', () => {
    checkStdin(undefined);
    checkStdin('x'.repeat(1024 * 1024));
    expect(() => checkStdin('é'.repeat(524_289))).toThrow(/1048578 bytes, at most 1048576/);
  });
});
