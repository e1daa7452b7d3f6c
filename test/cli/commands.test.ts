import { describe, expect, it } from 'vitest';
import type { CommandEntry } from '../../src/cli/command.js';
import { asksForHelp, COMMANDS, findCommand } from '../../src/cli/commands.js';
import { describeUsage } from '../../src/cli/usage.js';
import { CommandLineError } from '../../src/config/command-line.js';

let loaded = 0;
const table: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'greet',
    {
      summary: 'says hello',
      load: async () => {
        loaded += 1;
        return { usage: 'usage: skill-mcp greet\n', run: async () => 7 };
      },
    },
  ],
]);

describe('findCommand', () => {
  it('takes a flag, or nothing, for the server, and loads no subcommand for it', async () => {
    for (const argv of [[], ['--root', 'greet'], ['-h'], ['--version']]) {
      expect(await findCommand(argv, table)).toBeUndefined();
    }
    expect(loaded).toBe(0);
  });

  it('loads the one that is named', async () => {
    const command = await findCommand(['greet', 'you'], table);
    expect(command?.usage).toBe('usage: skill-mcp greet\n');
    expect(loaded).toBe(1);
  });

  it('refuses another word in one line that names those there are', async () => {
    const failed = findCommand(['great\n'], table);
    await expect(failed).rejects.toThrow(CommandLineError);
    await expect(failed).rejects.toThrow(/^unknown command "great\\n"; there are greet$/);
    for (const name of ['constructor', '__proto__', '']) {
      await expect(findCommand([name], table)).rejects.toThrow(CommandLineError);
    }
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
    expect(describeUsage(new Map())).not.toMatch(/COMMAND/);
  });
});

describe('the subcommands', () => {
  it('have a summary of one line and a usage that names them', async () => {
    for (const [name, { summary, load }] of COMMANDS) {
      expect(summary).toMatch(/^\S[^\n]{0,79}$/);
      expect((await load()).usage).toMatch(new RegExp(`^usage: skill-mcp ${name}\\b[\\s\\S]*\\n$`, 'm'));
    }
  });
});
