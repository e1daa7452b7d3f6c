import { describe, expect, it } from 'vitest';
import { CommandLineError, parseCommandLine } from '../../src/config/command-line.js';

describe('parseCommandLine', () => {
  it('reads roots, toolsets and the two questions', () => {
    expect(parseCommandLine([])).toEqual({ roots: [], toolsets: undefined, help: false, version: false });
    expect(parseCommandLine(['--root', 'a:b', '--root=c', '--toolsets', 'serve'])).toEqual({
      roots: ['a:b', 'c'],
      toolsets: 'serve',
      help: false,
      version: false,
    });
    expect(parseCommandLine(['-h', '--version'])).toMatchObject({ help: true, version: true });
  });

  it.each([[['--rot', 'x']], [['serve']], [['--root']], [['--help=yes']], [['-x']]])(
    'refuses %j in one line',
    (argv) => {
      expect(() => parseCommandLine(argv)).toThrow(CommandLineError);
      expect(() => parseCommandLine(argv)).toThrow(/^[^\n]+$/);
    },
  );
});
