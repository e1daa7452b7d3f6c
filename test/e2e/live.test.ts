import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { SERVER } from '../helpers/raw-server.js';
import { addToTree, makeTree, plainSkill, skillMd } from '../helpers/skill-tree.js';

let client: Client;

afterEach(() => client.close());

/** A real client of a server over this root. */
async function connect(root: string, env: Readonly<Record<string, string>> = {}) {
  client = new Client({ name: 'live-test', version: '1.0.0' });
  const settings = { PATH: '/usr/bin:/bin', SKILLS_DIR: root, ...env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [SERVER], env: settings }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function call(name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
  return isError === true ? { refusal: JSON.stringify(content) } : structuredContent;
}

const names = async (args: Record<string, unknown> = {}): Promise<string[]> => {
  const { skills } = await call('skill_list', args);
  return skills.map(({ name }: { name: string }) => name);
};

describe('a running server', () => {
  it('shows every change in the next call [skills.live]', async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('name: a\ndescription: One.', 'Old body\n') });
    await connect(root);
    expect(await names()).toEqual(['a']);

    addToTree(root, { 'b/SKILL.md': plainSkill('b'), 'b/notes.md': 'n' });
    expect(await names()).toEqual(['a', 'b']);
    expect((await call('skill_load', { name: 'b' })).files).toHaveLength(2);

    const file = join(root, 'a/SKILL.md');
    utimesSync(file, 1_000_000, 1_000_000);
    expect((await call('skill_list')).skills[0].description).toBe('One.');
    writeFileSync(file, skillMd('name: a\ndescription: Two.', 'New body\n'));
    utimesSync(file, 1_000_000, 1_000_000);
    expect((await call('skill_list')).skills[0].description).toBe('Two.');
    expect((await call('skill_load', { name: 'a' })).body).toBe('New body\n');

    addToTree(root, { 'b/more/x.md': 'xyz' });
    expect((await call('skill_load', { name: 'b' })).files).toContainEqual({ path: 'more/x.md', size: 3 });
    expect((await call('skill_file', { name: 'b', path: 'more/x.md' })).content).toBe('xyz');

    renameSync(join(root, 'b'), join(root, 'c'));
    expect((await call('skill_load', { name: 'b' })).refusal).toMatch(/no skill named/);
    expect(await names()).toEqual(['a', 'c']);

    rmSync(join(root, 'a'), { recursive: true });
    expect((await call('skill_load', { name: 'a' })).refusal).toMatch(/no skill named|gone since the scan/);
    const last = await call('skill_list');
    expect(last.skills.map(({ name }: { name: string }) => name)).toEqual(['c']);
    expect(last.problems).toMatchObject([{ reason: 'name-mismatch' }, { reason: 'extension-unpublished' }]);
  });

  it('runs a script that was declared after the start, and not one that is declared no more', async () => {
    const declared = skillMd(
      'name: a\ndescription: x\nmcp-host: {version: 1, run: [{script: a.js, interpreter: node}]}',
    );
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), 'a/a.js': 'console.log("ran")' });
    await connect(root);
    const run = () => call('skill_run', { name: 'a', script: 'a.js', confirm: true });
    expect((await run()).refusal).toMatch(/not declared/);
    writeFileSync(join(root, 'a/SKILL.md'), declared);
    expect(await run()).toMatchObject({ exitCode: 0, stdout: 'ran\n' });
    writeFileSync(join(root, 'a/SKILL.md'), plainSkill('a'));
    expect((await run()).refusal).toMatch(/not declared/);
  });

  it('does not mend for a load what it refuses in the listing', async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a') });
    await connect(root, { SKILL_MCP_STRICT_YAML: '1' });
    expect(await names()).toEqual(['a']);
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('name: a\ndescription: Use it for: this'));
    expect((await call('skill_load', { name: 'a' })).refusal).toBeDefined();
    expect(await names()).toEqual([]);
  });

  it('searches by name and description, and keeps a cursor to its query [tools.query]', async () => {
    const root = makeTree();
    for (let n = 0; n < 30; n++) {
      const subject = n % 3 === 0 ? 'Invoices' : 'Letters';
      addToTree(root, { [`s${n}/SKILL.md`]: skillMd(`name: s${n}\ndescription: About ${subject}.`) });
    }
    await connect(root);
    const first = await call('skill_list', { query: 'INVOICE', limit: 6 });
    expect(first).toMatchObject({ total: 10 });
    expect(first.skills).toHaveLength(6);
    const second = await call('skill_list', { query: 'INVOICE', limit: 6, cursor: first.nextCursor });
    expect(second.skills).toHaveLength(4);
    expect(second.nextCursor).toBeUndefined();
    const other = await call('skill_list', { query: 'letter', cursor: first.nextCursor });
    expect(other.refusal).toMatch(/another query/);
    expect(await names({ query: 's29' })).toEqual(['s29']);
    expect(await call('skill_list', { query: 'nothing like it' })).toMatchObject({ total: 0, skills: [] });
  });
});
