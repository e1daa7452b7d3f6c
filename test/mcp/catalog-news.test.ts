import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.js';
import { createCatalog } from '../../src/catalog/create-catalog.js';
import { createLog } from '../../src/mcp/log.js';
import { Publishing } from '../../src/mcp/publishing.js';
import { serveSurfaces } from '../../src/mcp/skill-surfaces.js';
import type { Skill } from '../../src/skill/skill.js';
import { makeSkill } from '../helpers/skills.js';

/** A server over a catalog that the test replaces, and a client that writes down what it hears. */
async function connect(first: readonly Skill[]) {
  let catalog: Catalog = createCatalog(first, []);
  const listeners = new Set<() => void>();
  const mcp = new McpServer({ name: 'test', version: '1' });
  const parts = {
    catalog: () => Promise.resolve(catalog),
    log: createLog('silent', () => {}),
    publishing: new Publishing(),
    onChanged: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  serveSurfaces(mcp, parts, 'legacy');
  const client = new Client({ name: 'test', version: '1' });
  const heard: string[] = [];
  client.fallbackNotificationHandler = ({ method, params }) => {
    heard.push(typeof params?.uri === 'string' ? `${method} ${params.uri}` : method);
    return Promise.resolve();
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcp.connect(ours);
  await client.connect(theirs as never);
  onTestFinished(() => client.close());
  const change = (skills: readonly Skill[]) => {
    catalog = createCatalog(skills, []);
    for (const listener of listeners) listener();
  };
  return { client, heard, change, listeners };
}

const PROMPTS = 'notifications/prompts/list_changed';
const RESOURCES = 'notifications/resources/list_changed';
const a = makeSkill({ name: 'a', files: [{ path: 'SKILL.md', size: 1 }] });
const b = makeSkill({ name: 'b', files: [{ path: 'SKILL.md', size: 1 }] });

describe('a changed catalog', () => {
  it('is announced once, when a skill has come, gone or changed its words', async () => {
    const { client, heard, change } = await connect([a]);
    expect(client.getServerCapabilities()).toMatchObject({
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
    await client.listResources();
    change([a, b]);
    await expect.poll(() => heard).toEqual([PROMPTS, RESOURCES]);
    change([b]);
    await expect.poll(() => heard).toHaveLength(4);
    change([{ ...b, description: 'New.' }]);
    await expect.poll(() => heard).toHaveLength(6);
    expect(new Set(heard)).toEqual(new Set([PROMPTS, RESOURCES]));
  });

  it('that is the same is not announced', async () => {
    const { client, heard, change } = await connect([a]);
    await client.listPrompts();
    change([a]);
    change([a, b]);
    await expect.poll(() => heard).toEqual([PROMPTS, RESOURCES]);
  });

  it('is told to whoever subscribed to a file of it', async () => {
    const { client, heard, change } = await connect([a, b]);
    await client.listResources();
    await client.subscribeResource({ uri: 'skill://a/SKILL.md' });
    await expect(client.subscribeResource({ uri: 'http://a' })).rejects.toMatchObject({ code: -32602 });
    const updated = 'notifications/resources/updated skill://a/SKILL.md';
    change([{ ...a }, { ...b }]);
    await expect.poll(() => heard).toEqual([updated]);
    await client.unsubscribeResource({ uri: 'skill://a/SKILL.md' });
    change([{ ...a }, b, makeSkill({ name: 'c' })]);
    await expect.poll(() => heard).toEqual([updated, PROMPTS, RESOURCES]);
  });

  it('is not listened for after the connection has ended', async () => {
    const { client, listeners } = await connect([a]);
    expect(listeners.size).toBe(1);
    await client.close();
    await expect.poll(() => listeners.size).toBe(0);
  });
});
