import { afterEach, describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { RawServer } from '../helpers/raw-server.js';

const root = makeExampleRoot();
let server: RawServer;

const open = () => {
  server = new RawServer({ env: { SKILLS_DIR: root } });
  return server;
};

afterEach(async () => {
  if (server.child.exitCode === null) server.child.kill('SIGKILL');
  await server.exited;
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};
const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

describe('the revision of 2026-07-28 [server.both-eras]', () => {
  it('is discovered, and its results say how long they hold', async () => {
    open();
    const { result } = await server.request('server/discover', { _meta });
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false } },
      instructions: expect.any(String),
      ttlMs: 300_000,
      cacheScope: 'public',
    });
    expect(result.instructions.length).toBeLessThan(2_048);
    const tools = await server.request('tools/list', { _meta });
    expect(tools.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' });
    const call = await server.request('tools/call', {
      name: 'skill_load',
      arguments: { name: 'words' },
      _meta,
    });
    expect(call.result).toMatchObject({ resultType: 'complete', structuredContent: { name: 'words' } });
    await server.end();
  });

  it('needs no discovery, refuses unknown tools, and reports what is wrong with a request', async () => {
    open();
    expect((await server.request('tools/list', { _meta })).result.tools).toHaveLength(4);
    expect((await server.request('tools/call', { name: 'nope', arguments: {}, _meta })).error?.code).toBe(
      -32602,
    );
    expect((await server.request('tools/call', { _meta })).error?.code).toBe(-32602);
    expect((await server.request('tools/list', {})).error?.code).toBe(-32602);
    await server.end();
  });

  it('keeps a subscription open until the end, which does not wait for it', async () => {
    open();
    await server.request('server/discover', { _meta });
    const id = server.send('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta });
    await server.find(({ method }) => method === 'notifications/subscriptions/acknowledged');
    const startedMs = performance.now();
    await server.end();
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect((await server.answer(id)).result).toMatchObject({ resultType: 'complete' });
  });
});

describe('the older revisions [server.both-eras]', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'answer %s with itself',
    async (version) => {
      open();
      const { result } = await server.request('initialize', initialize(version));
      expect(result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'skill-mcp' } });
      const { result: tools } = await server.request('tools/list');
      expect(tools).not.toHaveProperty('resultType');
      expect(tools).not.toHaveProperty('ttlMs');
      expect((await server.request('ping')).result).toEqual({});
      await server.end();
    },
  );

  it('are what an unknown version and a version of the other era get', async () => {
    for (const version of ['2099-01-01', '2026-07-28']) {
      open();
      expect((await server.request('initialize', initialize(version))).result.protocolVersion).toBe(
        '2025-11-25',
      );
      await server.end();
    }
  });

  it('can follow a discovery on the same process', async () => {
    open();
    await server.request('server/discover', { _meta });
    expect((await server.initialize()).result.protocolVersion).toBe('2025-11-25');
    expect((await server.call('skill_load', { name: 'words' })).name).toBe('words');
    await server.end();
  });

  it('do not insist on initialize', async () => {
    open();
    expect((await server.request('tools/list')).result.tools).toHaveLength(4);
    await server.end();
  });
});
