import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../src/config/environment.js';
import { PROBLEM_REASONS } from '../src/skill/problem.js';
import { readSources } from './helpers/source-rules.js';

const project = fileURLToPath(new URL('..', import.meta.url));
const server = fileURLToPath(new URL('../dist/skill-mcp.js', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Rows of the table whose head has these columns, cell by cell, without code marks. */
function readTable(...columns: string[]): string[][] {
  const head = `| ${columns.join(' | ')} |`;
  const lines = readme.split('\n');
  const at = lines.indexOf(head);
  expect(at, `the README has a table ${head}`).toBeGreaterThan(-1);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  return lines.slice(at + 2, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '').replaceAll('\\|', '|')),
  );
}

function runServer(args: string[]) {
  return spawnSync(process.execPath, [server, ...args], { encoding: 'utf8', input: '', timeout: 20_000 });
}

describe('the README [tools.documented]', () => {
  it('names the tools and their arguments as the server does', async () => {
    const client = new Client({ name: 'readme-test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
    const { tools } = await client.listTools();
    await client.close();
    const served = tools.map(({ name, inputSchema }) => {
      const required = new Set(inputSchema.required);
      const fields = Object.keys(inputSchema.properties ?? {});
      return [name, fields.map((field) => (required.has(field) ? field : `${field}?`)).sort()];
    });
    const documented = readTable('tool', 'arguments', 'answer').map(([name, cell = '']) => [
      name,
      // "path or paths" says that one of them is needed; to the schema each is optional.
      cell
        .replace(/ \(.*?\)/g, '')
        .split(', ')
        .flatMap((field) => (field.includes(' or ') ? field.split(' or ').map((one) => `${one}?`) : [field]))
        .filter((field) => field !== '')
        .sort(),
    ]);
    expect(documented.sort()).toEqual(served.sort());
  });

  it('lists every variable that the server reads, with its meaning and default', () => {
    const documented = readTable('variable', 'meaning', 'default');
    expect(VARIABLES.length).toBeGreaterThan(5);
    expect(documented).toEqual(
      VARIABLES.map((row) => [row.name, row.meaning.replaceAll('`', ''), row.default.replaceAll('`', '')]),
    );
  });

  it('lists every flag that --help prints', () => {
    const { stdout, stderr, status } = runServer(['--help']);
    expect(status).toBe(0);
    const printed = new Set(`${stdout}${stderr}`.match(/--[a-z][a-z-]+|(?<=[ ,])-[a-z]\b/g));
    const documented = new Set(
      readTable('flag', 'meaning').flatMap(([flag = '']) => flag.match(/--?[a-z][a-z-]*/g) ?? []),
    );
    expect([...documented].sort()).toEqual([...printed].sort());
  });

  it('lists the exit codes', () => {
    expect(readTable('exit code', 'meaning').map(([code]) => code)).toEqual(['0', '1', '2']);
    expect(runServer([]).status).toBe(0);
    expect(runServer(['--no-such-flag']).status).toBe(2);
    expect(runServer(['--toolsets', 'no-such-toolset']).status).toBe(2);
  });

  it('explains every reason of a problem that the server gives', () => {
    const sources = readSources(project).filter(({ path }) => path !== 'src/skill/problem.ts');
    const given = PROBLEM_REASONS.filter((reason) =>
      sources.some(({ text }) => text.includes(`'${reason}'`)),
    );
    const documented = readTable('reason', 'what it is about').map(([reason]) => reason);
    expect(documented.sort()).toEqual([...given].sort());
  });

  it('shows configurations that parse', () => {
    const snippets = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(snippets.length).toBeGreaterThan(7);
    for (const snippet of snippets) expect(() => JSON.parse(snippet)).not.toThrow();
  });

  it('links to files that are there and to headings of its own', () => {
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(
      ([, heading = '']) =>
        `#${heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-')}`,
    );
    for (const link of links) {
      if (link.startsWith('#')) expect(headings).toContain(link);
      else expect(() => readFileSync(`${project}/${link}`)).not.toThrow();
    }
  });
});
