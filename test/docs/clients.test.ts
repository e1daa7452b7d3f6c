import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const docs = path.join(import.meta.dirname, '../../docs');
const text = readFileSync(path.join(docs, 'clients.md'), 'utf8');
const snippets = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', body = '']) => ({
  language,
  body,
}));
const of = (language: string) => snippets.filter((snippet) => snippet.language === language);
const COMMAND = ['/usr/local/bin/node', '/home/me/skill-mcp/dist/skill-mcp.js', '--root', '/home/me/skills'];

/** Every list of words in a configuration that starts something, the program first. */
function commandsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const { command, args } = value as { command?: unknown; args?: unknown[] };
  if (Array.isArray(command)) return [command];
  if (command !== undefined) return [[command, ...(args ?? [])]];
  return Object.values(value).flatMap(commandsIn);
}

/** The part of TOML that the snippets use: a table, and strings, numbers and lists of strings in it. */
function readToml(body: string): Record<string, unknown> {
  const [head = '', ...lines] = body.trim().split('\n');
  expect(head).toMatch(/^\[[\w-]+(?:\.[\w-]+)*\]$/);
  return Object.fromEntries(
    lines.map((line) => {
      const [, key = '', value = ''] = /^([A-Za-z_]+) = (.+)$/.exec(line) ?? [];
      expect(key, line).not.toBe('');
      return [key, JSON.parse(value)];
    }),
  );
}

describe('docs/clients.md [package.clients]', () => {
  it.each(of('json'))('has JSON that parses and starts this server: %#', ({ body }) => {
    expect(commandsIn(JSON.parse(body))).toEqual([COMMAND]);
  });

  it.each(of('toml'))('has TOML that parses and starts this server: %#', ({ body }) => {
    const { command, args, tool_timeout_sec } = readToml(body) as { args: string[] } & Record<
      string,
      unknown
    >;
    expect([command, ...args]).toEqual(COMMAND);
    expect(tool_timeout_sec).toBe(310);
  });

  it('has commands of one line each, that start this server where they start one', () => {
    const lines = of('bash').flatMap(({ body }) => body.trim().split('\n'));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      expect(line).not.toMatch(/\\$|["'`]/);
      if (line.includes('/usr/local/bin/node')) expect(line).toContain(COMMAND.join(' '));
    }
  });

  it('has nothing in another language, and a chapter for each client of its table', () => {
    expect(new Set(snippets.map(({ language }) => language))).toEqual(new Set(['bash', 'json', 'toml']));
    const chapters = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    const rows = [...text.matchAll(/^\| ([A-Z]?[A-Za-z ]+) \|/gm)].map(([, name]) => name).slice(1);
    expect(rows).toHaveLength(9);
    expect(chapters).toEqual([...rows, 'MCP Inspector', 'What is tested']);
  });

  it('links to files that are there', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      expect(existsSync(path.join(docs, link)), link).toBe(true);
    }
  });
});
