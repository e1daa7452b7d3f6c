import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { asksForHelp, COMMANDS, findCommand } from '../../src/cli/commands.js';
import { describeUsage } from '../../src/cli/usage.js';
import { CommandLineError } from '../../src/config/command-line.js';

const greet: Command = {
  summary: 'says hello',
  usage: 'usage: skill-mcp greet\n',
  run: async () => 7,
};
const table: ReadonlyMap<string, Command> = new Map([['greet', greet]]);

describe('findCommand', () => {
  it('takes a flag, or nothing, for the server', () => {
    for (const argv of [[], ['--root', 'greet'], ['-h'], ['--version']]) {
      expect(findCommand(argv, table)).toBeUndefined();
    }
  });

  it('finds the one that is named', () => {
    expect(findCommand(['greet', 'you'], table)).toBe(greet);
  });

  it('refuses another word in one line that names those there are', () => {
    const look = (name: string) => () => findCommand([name], table);
    expect(look('great\n')).toThrow(/^unknown command "great\\n"; there are greet$/);
    for (const name of ['great', 'constructor', '__proto__', ''])
      expect(look(name)).toThrow(CommandLineError);
  });
});

describe('asksForHelp', () => {
  it.each<[string[], boolean]>([
    [['greet', '--help'], true],
    [['greet', 'a', '-h'], true],
    [['greet', 'a'], false],
    [['greet', '--', '--help'], false],
  ])('%j: %j', (argv, expected) => {
    expect(asksForHelp(argv)).toBe(expected);
  });
});

describe('describeUsage', () => {
  it('lists every subcommand on a line of its own', () => {
    expect(describeUsage(table)).toMatch(/^ {2}greet {2,}says hello$/m);
  });
});

describe('the subcommands', () => {
  it.each([...COMMANDS])(
    '%s has a summary of one line and a usage that names it',
    (name, { summary, usage }) => {
      expect(summary).toMatch(/^\S[^\n]{0,79}$/);
      expect(usage).toMatch(new RegExp(`^usage: skill-mcp ${name}\\b[\\s\\S]*\\n$`));
    },
  );
});
