import { describe, expect, it } from 'vitest';
import { planCutover } from '../../src/opencode/cutover.js';
import { parseJsonc, readValue } from '../../src/opencode/jsonc-text.js';

const OPTIONS = {
  command: ['/usr/bin/node', '/opt/skill-mcp.js', '--toolsets', 'find'],
  plugin: '/opt/plugin.js',
  disable: [],
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into configs of every shape
const parsed = (text: string): any => readValue(parseJsonc(text));

describe('the cutover of an OpenCode config', () => {
  it('adds its server and its plugin to a config that has neither, and leaves every other byte [opencode.edit]', () => {
    const before = `{
  // my theme
  "theme": "dark", // do not touch
  /* servers */
  "mcp": {
    "timeout": 5000,
    "servers": {
      "other": { "type": "local", "command": ["old"] }, // mine
    },
  },
  "plugins": ["first", // one
    "second" // two
  ]
}
`;
    const { text, changes } = planCutover(before, OPTIONS);
    expect(changes).toEqual(['mcp.servers.skills', 'plugins']);
    const value = parsed(text);
    expect(value.mcp.servers.skills).toEqual({ type: 'local', command: OPTIONS.command });
    expect(value.plugins).toEqual(['first', 'second', '/opt/plugin.js']);
    expect(text).toContain('{ "type": "local", "command": ["old"] }, // mine\n      "skills": {');
    expect(text).toContain('"second", // two\n    "/opt/plugin.js"');
    for (const line of before.split('\n').filter((part) => !part.includes('// two')))
      expect(text).toContain(line);
    expect(planCutover(text, OPTIONS).changes).toEqual([]);
  });

  it.each([
    ['an empty file', ''],
    ['an empty object', '{}'],
    ['an object on one line', '{ "theme": "dark" }'],
    ['Windows line ends and a byte order mark', '\uFEFF{\r\n\t"theme": "dark"\r\n}\r\n'],
    ['nothing but a comment', '{\n  // nothing yet\n}\n'],
    ['a comment behind the brace', '{ // nothing yet\n}\n'],
    ['empty mcp and plugins', '{"mcp": {}, "plugins": []}'],
    ['empty servers', '{\n  "mcp": {\n    "servers": {}\n  }\n}'],
    [
      'a leading comma',
      '{\n  "theme": "dark"\n  , "mcp": {"servers": {"a": {"type": "local", "command": ["x"]}\n  // end\n  }}\n}',
    ],
    ['a trailing comma and a comment below it', '{\n  "theme": "dark",\n  // the end\n}\n'],
  ])('works on %s', (_, before) => {
    const { text } = planCutover(before, OPTIONS);
    const value = parsed(text);
    expect(value.mcp.servers.skills.command).toEqual(OPTIONS.command);
    expect(value.plugins).toEqual(['/opt/plugin.js']);
    for (const comment of before.match(/\/\/[^\n]*/g) ?? []) expect(text).toContain(comment);
    expect(text.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
    if (before.includes('\r\n')) expect(text.replace(/\r\n/g, '')).not.toContain('\n');
    expect(planCutover(text, OPTIONS)).toEqual({ text, changes: [] });
  });

  it('removes the older entry of its own name and no line beside it', () => {
    const before = `{
  "mcp": {
    // the old one
    "skills": {
      "type": "local",
      "command": ["old"]
    },
    "kept": { "type": "local", "command": ["x"], "enabled": true } // kept
  }
}
`;
    const { text, changes } = planCutover(before, OPTIONS);
    expect(changes).toEqual(['mcp.skills', 'mcp.servers.skills', 'plugins']);
    expect(parsed(text).mcp.skills).toBeUndefined();
    expect(text).toContain(
      '    // the old one\n    "kept": { "type": "local", "command": ["x"], "enabled": true }, // kept\n',
    );
  });

  it('removes it as the last member too, with the comma before it', () => {
    const before =
      '{\n  "mcp": {\n    "kept": {"type": "local", "command": []},\n    "skills": {"type": "local"}\n  }\n}\n';
    expect(parsed(planCutover(before, OPTIONS).text).mcp.kept).toEqual({ type: 'local', command: [] });
    const only = '{"mcp": {"skills": {"type": "local"}}}';
    expect(Object.keys(parsed(planCutover(only, OPTIONS).text).mcp)).toEqual(['servers']);
  });

  it('disables named servers of both forms, once', () => {
    const before = `{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}, "b": {"type": "remote", "url": "u", "disabled": false}}, "c": {"type": "local", "command": ["c"], "enabled": true}}}`;
    const options = { ...OPTIONS, disable: ['a', 'b', 'c'] };
    const { text, changes } = planCutover(before, options);
    const { mcp } = parsed(text);
    expect([mcp.servers.a.disabled, mcp.servers.b.disabled, mcp.c.enabled]).toEqual([true, true, false]);
    expect(changes).toEqual([
      'mcp.servers.a.disabled',
      'mcp.servers.b.disabled',
      'mcp.c.enabled',
      'mcp.servers.skills',
      'plugins',
    ]);
    expect(planCutover(text, options).changes).toEqual([]);
  });

  it.each([
    [
      'a comment inside the removed entry',
      '{"mcp": {"skills": {\n// why\n"type": "local"}}}',
      [],
      /mcp\.skills holds a comment/,
    ],
    [
      'other settings under its name',
      '{"mcp": {"servers": {"skills": {"type": "local", "command": ["x"]}}}}',
      [],
      /mcp\.servers\.skills exists/,
    ],
    ['a name to disable that is not there', '{"mcp": {"servers": {}}}', ['ghost'], /no server "ghost"/],
    ['its own name to disable', '{}', ['skills'], /cannot be disabled/],
    ['a key that stands twice', '{"mcp": {"servers": {}}, "mcp": {"servers": {}}}', [], /mcp stands twice/],
    ['its servers twice', '{"mcp": {"servers": {}, "servers": {}}}', [], /mcp\.servers stands twice/],
    ['plugins twice', '{"plugins": [], "plugins": []}', [], /plugins stands twice/],
    [
      'a server that is called servers',
      '{"mcp": {"servers": {"type": "local", "command": ["x"]}}}',
      [],
      /mcp\.servers is itself a server/,
    ],
    ['an mcp that is no object', '{"mcp": []}', [], /mcp is not an object/],
    ['plugins that are no array', '{"plugins": {}}', [], /plugins is not an array/],
    ['no object at the top', '[]', [], /not an object/],
    ['text that does not parse', '{"mcp": {', [], /cannot be parsed/],
  ])('refuses %s, and names the path', (_, before, disable, words) => {
    expect(() => planCutover(before, { ...OPTIONS, disable })).toThrow(words);
  });
});
