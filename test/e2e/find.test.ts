import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { believe, startDecisionServer } from '../helpers/decision-server.js';
import { RawServer, SERVER } from '../helpers/raw-server.js';
import { makeDirectory, writeSkill } from '../helpers/skills.js';

const KEY = 'sk-very-secret-0123456789';
const ARGS = ['--toolsets', 'find'];
const FORMS = {
  description: 'Fill in PDF forms.',
  body: 'Read the fields first.\n',
  files: { 'guide.md': 'guide' },
};

let server: RawServer;
afterEach(() => server.end());

function makeRoot(): string {
  const root = makeDirectory();
  writeSkill(root, 'pdf-forms', FORMS);
  writeSkill(root, 'slides', { description: 'Outline slides.' });
  return root;
}

async function start(env: Record<string, string>): Promise<void> {
  server = new RawServer({ args: ARGS, env: { SKILLS_MCP_CONFIG: '/nowhere/config.json', ...env } });
  await server.initialize();
}

describe('a server that finds', () => {
  it('suggests a skill, hands it out and reads its files [find.suggests]', async () => {
    const root = makeRoot();
    await start({ SKILLS_DIR: root });
    const found = await server.call('find', { task: 'fill in a PDF form' });
    expect(found).toMatchObject({ needsSkill: null, suggestion: 'pdf-forms', ranker: 'bm25' });
    const loaded = await server.call('load', { id: found.suggestion });
    expect(loaded).toMatchObject({ body: 'Read the fields first.\n', base: path.join(root, 'pdf-forms') });
    expect((await server.call('read', { id: 'pdf-forms', path: loaded.resources[0] })).text).toBe('guide');
    expect(await server.refuse('read', { id: 'pdf-forms', path: 'no.md' })).toMatch(/^missing /);
    expect(await server.refuse('load', { id: 'pdf-form' })).toContain('did you mean pdf-forms');
    expect(await server.refuse('find', { task: '  ' })).toContain('must not be blank');
  });

  it('stays silent where nothing clearly fits, and says why [find.silent]', async () => {
    await start({ SKILLS_DIR: makeRoot() });
    const found = await server.call('find', {
      task: 'in which year did the first form of printing reach Venice',
    });
    expect(found.suggestion).toBeNull();
    expect(found.candidates.length).toBeGreaterThan(0);
    expect(found.reason).toContain('no skill clearly fits');
  });

  it('has nothing to offer without roots and sources, and says how to add one', async () => {
    await start({});
    const found = await server.call('find', { task: 'run the demo' });
    expect(found).toMatchObject({ suggestion: null, candidates: [] });
    expect(found.reason).toContain('add a source');
  });

  it('answers any task, 100 KB included, and goes on [find.any-input]', async () => {
    await start({ SKILLS_DIR: makeRoot() });
    const tasks = [
      'a'.repeat(100_000),
      'form '.repeat(20_000),
      '\u{1f600}'.repeat(25_000),
      '"',
      '\\u0000\u0000',
      '表单',
    ];
    for (const task of tasks) {
      const found = await server.call('find', { task });
      expect(found.ranker).toBe('bm25');
      expect(JSON.stringify(found)).not.toContain('NaN');
    }
  });

  it('asks the decision model of the config, and falls back to words when that fails [find.fallback]', async () => {
    const yes = { procedure: 0.9, general: 0.1, guide: 0.9, named: 0.9, 'fits.slides': 0.9 };
    let broken = false;
    const model = await startDecisionServer((request, response) => {
      if (broken) response.writeHead(503).end(KEY);
      else believe('systemone', { choice: 'slides', yes })(request, response);
    });
    const folder = makeDirectory();
    const config = path.join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ decision: { model: 'mine' } }));
    const entry = { provider: 'systemone', modelId: 'm', keyEnv: ['MY_KEY'], baseURL: model.url };
    writeFileSync(path.join(folder, 'providers.json'), JSON.stringify({ mine: entry }));
    await start({
      SKILLS_DIR: makeRoot(),
      SKILLS_MCP_CONFIG: config,
      MY_KEY: KEY,
      SKILL_MCP_LOG_LEVEL: 'debug',
    });

    const decided = await server.call('find', { task: 'slides out of a PDF form' });
    expect(decided).toMatchObject({ needsSkill: true, suggestion: 'slides', ranker: 'mine' });
    broken = true;
    const fallen = await server.call('find', { task: 'fill in a PDF form' });
    expect(fallen).toMatchObject({ needsSkill: null, suggestion: 'pdf-forms', ranker: 'bm25-fallback' });
    expect(fallen.reason).toBe('HTTP 503');
    writeFileSync(config, '{}');
    expect((await server.call('find', { task: 'fill in a PDF form' })).ranker).toBe('bm25');
    const said = JSON.stringify(server.messages) + server.stderr;
    expect(said).not.toContain(KEY);
  });

  it('gives the same answer as text and as structured content, by its schema', async () => {
    const root = makeRoot();
    const client = new Client({ name: 'find-test', version: '1.0.0' });
    const env = { PATH: '/usr/bin:/bin', SKILLS_DIR: root, SKILLS_MCP_CONFIG: '/nowhere/config.json' };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [SERVER, ...ARGS], env }),
    );
    onTestFinished(() => client.close());
    const calls = [
      { name: 'find', arguments: { task: 'fill in a PDF form' } },
      { name: 'load', arguments: { id: 'pdf-forms' } },
      { name: 'read', arguments: { id: 'pdf-forms', path: 'SKILL.md' } },
      { name: 'sources', arguments: { action: 'list' } },
    ];
    await client.listTools();
    for (const call of calls) {
      // The client validates structured content by the tool's output schema.
      const { content, structuredContent } = await client.callTool(call);
      expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent);
    }
    await start({ SKILLS_DIR: root });
  });

  it('answers the handshake before thousands of skills are indexed', async () => {
    const root = makeDirectory();
    for (let number = 0; number < 2_000; number++) {
      mkdirSync(path.join(root, `skill-${number}`));
      const text = `---\nname: skill-${number}\ndescription: Number ${number}.\n---\n${`word${number} text `.repeat(200)}`;
      writeFileSync(path.join(root, `skill-${number}`, 'SKILL.md'), text);
    }
    server = new RawServer({
      args: ARGS,
      env: { SKILLS_DIR: root, SKILLS_MCP_CONFIG: '/nowhere/config.json' },
    });
    const asked = server.send('tools/call', { name: 'find', arguments: { task: 'word1234' } });
    await server.initialize();
    expect(server.messages.some(({ id }) => id === asked)).toBe(false);
    const { result } = await server.answer(asked, 30_000);
    const found = JSON.parse(result.content[0].text);
    expect(found.candidates[0].id).toBe('skill-1234');
    expect(found.suggestion).toBeNull();
    expect(found.reason).toContain('more than 500 skills (2000)');
  });
});
