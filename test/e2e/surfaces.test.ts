import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AWKWARD_FILES, makePublishedRoot } from '../helpers/published-root.js';
import { SERVER } from '../helpers/raw-server.js';

const root = makePublishedRoot();
const example = path.join(import.meta.dirname, '../../skills');
const info = { name: 'test', version: '1.0.0' };
const start = {
  command: process.execPath,
  args: [SERVER, '--root', root, '--root', example],
  env: { PATH: '/usr/bin:/bin' },
  stderr: 'ignore' as const,
};
const PUBLISHED = ['awkward', 'marked', 'nested', 'plain', 'skill-mcp-demo'];
const ALL = ['Large_Name', 'awkward', 'linked', 'marked', 'nested', 'plain', 'skill-mcp-demo'];

/** What these tests use of a client, whichever it is. */
type AnyClient = Pick<
  LegacyClient,
  | 'listPrompts'
  | 'getPrompt'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'complete'
  | 'close'
>;

async function connectModern(mode: 'legacy' | { pin: string }): Promise<ModernClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(start));
  return client;
}

const bytesOf = (content: unknown): Buffer => {
  const { text, blob } = content as { text?: string; blob?: string };
  return text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text);
};

const CLIENTS: [string, () => Promise<AnyClient>][] = [
  [
    'the client of the 1.x line',
    async () => {
      const client = new LegacyClient(info);
      await client.connect(new LegacyTransport(start));
      return client;
    },
  ],
  [
    'the client of the 2.x line, older revision',
    async () => (await connectModern('legacy')) as unknown as AnyClient,
  ],
  [
    'the client of the 2.x line, 2026-07-28',
    async () => (await connectModern({ pin: '2026-07-28' })) as unknown as AnyClient,
  ],
];

describe.each(CLIENTS)('%s', (_name, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('finds a prompt for every skill, and the instructions in it word for word [surfaces.prompts]', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(ALL);
    expect(prompts[1]).toMatchObject({ description: 'Awkward files.', arguments: [{ name: 'task' }] });
    const { messages } = await client.getPrompt({ name: 'plain', arguments: { task: 'Do it.' } });
    const texts = messages.map(({ content }) => (content.type === 'text' ? content.text : ''));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain(path.join(root, 'plain'));
    expect(texts[1]).toBe('Instructions of plain.\n');
    expect(texts[2]).toBe('The task: Do it.');
    expect((await client.getPrompt({ name: 'plain' })).messages).toHaveLength(2);
    await expect(client.getPrompt({ name: 'plan' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/plan.*did you mean plain/),
    });
  });

  it('reads every listed resource back, byte for byte [surfaces.resources]', async () => {
    const { resources } = await client.listResources();
    const listed = resources.filter(({ uri }) => uri.startsWith('skill://awkward/'));
    expect(listed).toHaveLength(Object.keys(AWKWARD_FILES).length + 1);
    for (const [file, content] of Object.entries(AWKWARD_FILES)) {
      const resource = listed.find(({ name }) => name === `awkward/${file}`);
      expect(resource, file).toMatchObject({ size: Buffer.byteLength(content) });
      const { contents } = await client.readResource({ uri: resource?.uri ?? '' });
      expect(contents[0]?.uri).toBe(resource?.uri);
      expect(bytesOf(contents[0]).equals(Buffer.from(content)), file).toBe(true);
    }
    const main = listed.find(({ name }) => name === 'awkward');
    expect(main).toMatchObject({ description: 'Awkward files.', mimeType: 'text/markdown' });
  });

  it('reads files of skills that are not published, and the text or blob that skill_file gives', async () => {
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(bytesOf(await read('skill://linked/b.md')).toString()).toBe('target\n');
    expect(await read('skill://awkward/nul.txt')).toHaveProperty('blob');
    expect(await read('skill://awkward/escapes.txt')).toHaveProperty('blob');
    expect(await read('skill://awkward/bom.txt')).toHaveProperty('text');
    const marked = bytesOf(await read('skill://marked/SKILL.md'));
    expect(marked.equals(readFileSync(path.join(root, 'marked/SKILL.md')))).toBe(true);
  });

  it.each([
    ['skill://nobody/SKILL.md', /no such skill/],
    ['skill://plain/gone.md', /not found/],
    ['skill://plain', /directory/],
    ['skill://plain/../nested/SKILL.md', /segment/],
    ['skill://plain/%2e%2e/nested/SKILL.md', /segment/],
    ['skill://plain/%E0%A4%A', /malformed percent/],
    ['skill://plain/.git/config', /dot files/],
    ['skill://Large_Name/big.bin', /1048577 bytes.*skill_file/],
    ['file:///etc/passwd', /only skill/],
  ])('is told what is wrong with %s [surfaces.resources]', async (uri, message) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  });

  it('completes names of skills and paths [surfaces.completion]', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(1);
    const ref = { type: 'ref/resource' as const, uri: resourceTemplates[0]?.uriTemplate ?? '' };
    const complete = async (name: string, value: string, skill?: string) => {
      const context = skill === undefined ? {} : { context: { arguments: { name: skill } } };
      return (await client.complete({ ref, argument: { name, value }, ...context })).completion;
    };
    expect(await complete('name', 'L')).toEqual({
      values: ['Large_Name', 'linked'],
      total: 2,
      hasMore: false,
    });
    expect((await complete('path', 'a/', 'nested')).values).toEqual(['a/b/c.md', 'a/d.md']);
    expect((await complete('path', 'a/')).values).toEqual([]);
    await expect(
      client.complete({ ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'task', value: '' } }),
    ).rejects.toMatchObject({ code: -32602 });
  });
});

describe.each<['legacy' | { pin: string }]>([['legacy'], [{ pin: '2026-07-28' }]])(
  'the Skills extension in the era %j [surfaces.extension]',
  (mode) => {
    let client: ModernClient;
    let skills: SkillsClient;
    beforeAll(async () => {
      client = await connectModern(mode);
      skills = new SkillsClient(client);
    });
    afterAll(() => client.close());

    it('is declared, and lists, gets, reads and verifies every published skill', async () => {
      expect(client.getServerCapabilities()?.extensions).toEqual({
        'io.modelcontextprotocol/skills': { directoryRead: true },
      });
      const { skills: listed } = await skills.list();
      expect(listed.map(({ frontmatter }) => frontmatter.name)).toEqual(PUBLISHED);
      for (const entry of listed) {
        const { skill: got } = await skills.get(entry.uri);
        expect(got).toEqual(entry);
        if (got.resources === 'dynamic') throw new Error('a manifest is expected');
        // read() fails when size, digest or head differ from the entry.
        for (const { uri } of got.resources) await skills.read(got, uri);
      }
      const plain = listed.find(({ frontmatter }) => frontmatter.name === 'plain');
      expect(plain?.frontmatter).toEqual({
        name: 'plain',
        description: 'The skill plain.',
        license: 'MIT',
        metadata: { author: 'me' },
        'allowed-tools': ['Read'],
      });
    });

    it('reads directories', async () => {
      const names = async (uri: string) =>
        (await skills.readDirectory(uri)).resources.map(({ uri: child, mimeType }) => [child, mimeType]);
      expect(await names('skill://nested')).toEqual([
        ['skill://nested/SKILL.md', 'text/markdown'],
        ['skill://nested/a', 'inode/directory'],
        ['skill://nested/e.md', 'text/markdown'],
      ]);
      expect(await names('skill://nested/a')).toEqual([
        ['skill://nested/a/b', 'inode/directory'],
        ['skill://nested/a/d.md', 'text/markdown'],
      ]);
      expect(await names('skill://awkward/%E6%8A%80%E8%83%BD')).toHaveLength(1);
      for (const uri of ['skill://nested/e.md', 'skill://nobody', 'skill://nested/zzz']) {
        await expect(skills.readDirectory(uri)).rejects.toMatchObject({ code: -32602 });
      }
    });

    it('refuses a skill that is not published, and one that is not there [surfaces.unpublished]', async () => {
      for (const name of ['Large_Name', 'linked', 'nobody']) {
        await expect(skills.get(`skill://${name}/SKILL.md`)).rejects.toMatchObject({ code: -32602 });
      }
      const { structuredContent } = await client.callTool({ name: 'skill_list', arguments: {} });
      const { problems, total } = structuredContent as {
        problems: { path: string; reason: string }[];
        total: number;
      };
      expect(total).toBe(ALL.length);
      expect(
        problems.filter(({ reason }) => reason === 'extension-unpublished').map((problem) => problem.path),
      ).toEqual([path.join(root, 'Large_Name'), path.join(root, 'linked')]);
    });
  },
);
