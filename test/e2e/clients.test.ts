import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { SERVER } from '../helpers/raw-server.js';

const info = { name: 'test', version: '1.0.0' };
const root = makeExampleRoot();
const start = {
  command: process.execPath,
  args: [SERVER],
  env: { PATH: '/usr/bin:/bin', SKILLS_DIR: root, GRANTED: 'granted-value' },
  stderr: 'ignore' as const,
};

/** What these tests use of a client, whichever it is. */
interface AnyClient {
  readonly era: string;
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    onprogress?: (progress: { progress: number }) => void,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

async function connectLegacy(): Promise<AnyClient> {
  const client = new LegacyClient(info);
  await client.connect(new LegacyTransport(start));
  return {
    era: 'legacy',
    listTools: () => client.listTools(),
    callTool: (params, onprogress, signal) =>
      client.callTool(params, undefined, { ...(onprogress && { onprogress }), ...(signal && { signal }) }),
    close: () => client.close(),
  };
}

async function connectModern(mode: 'legacy' | 'auto' | { pin: string }): Promise<AnyClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(start));
  return {
    era: client.getProtocolEra() ?? 'none',
    listTools: () => client.listTools(),
    callTool: (params, onprogress, signal) =>
      client.callTool(params, { ...(onprogress && { onprogress }), ...(signal && { signal }) }),
    close: () => client.close(),
  };
}

const textOf = (result: Record<string, unknown>): string => {
  const [block] = result.content as { text: string }[];
  return block?.text ?? '';
};

describe.each<[string, string, () => Promise<AnyClient>]>([
  ['the client of the 1.x line', 'legacy', connectLegacy],
  ['the client of the 2.x line, older revision', 'legacy', () => connectModern('legacy')],
  ['the client of the 2.x line, probing', 'modern', () => connectModern('auto')],
  ['the client of the 2.x line, pinned to 2026-07-28', 'modern', () => connectModern({ pin: '2026-07-28' })],
])('%s [server.both-eras]', (_name, era, connect) => {
  it('lists, loads, reads, previews, runs, and reads refusals [tools.load]', async () => {
    const client = await connect();
    try {
      expect(client.era).toBe(era);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['skill_list', 'skill_load', 'skill_file', 'skill_run']);

      const listed = await client.callTool({ name: 'skill_list', arguments: {} });
      expect(listed.structuredContent).toMatchObject({
        roots: [root],
        rootsFrom: 'SKILLS_DIR',
        total: 2,
        skills: [
          { name: 'tools', executable: true },
          { name: 'words', executable: false },
        ],
      });
      expect(JSON.parse(textOf(listed))).toEqual(listed.structuredContent);

      const loaded = await client.callTool({ name: 'skill_load', arguments: { name: 'tools' } });
      expect(loaded.structuredContent).toMatchObject({
        body: 'Use the scripts.\n\n---\n\nAnd read notes.md.\n',
      });

      const file = await client.callTool({
        name: 'skill_file',
        arguments: { name: 'tools', path: 'notes.md' },
      });
      expect(file.structuredContent).toMatchObject({ encoding: 'utf-8', content: '# Notes\n' });

      const run = { name: 'tools', script: 'scripts/echo.js', args: ['a b'] };
      const preview = await client.callTool({ name: 'skill_run', arguments: run });
      expect(preview.structuredContent).toMatchObject({ dryRun: true, willRun: { envNotSet: ['MISSING'] } });
      const { confirmToken } = preview.structuredContent as { confirmToken: string };

      const done = await client.callTool({
        name: 'skill_run',
        arguments: { ...run, confirm: true, confirmToken },
      });
      expect(done.isError).toBeUndefined();
      const { stdout } = done.structuredContent as { stdout: string };
      expect(JSON.parse(stdout)).toMatchObject({ argv: ['a b'], env: { GRANTED: 'granted-value' } });

      const refused = await client.callTool({ name: 'skill_load', arguments: { name: 'wordz' } });
      expect(refused).toMatchObject({ isError: true });
      expect(refused.structuredContent).toBeUndefined();
      expect(textOf(refused)).toMatch(/wordz.*words/);
      await expect(client.callTool({ name: 'no_tool', arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
    } finally {
      await client.close();
    }
  });

  it('hears of progress and can cancel; the next run starts [run.progress, run.cancel]', async () => {
    const client = await connect();
    try {
      const heard: number[] = [];
      const aborter = new AbortController();
      const running = client.callTool(
        { name: 'skill_run', arguments: { name: 'tools', script: 'scripts/slow.js', confirm: true } },
        ({ progress }) => {
          heard.push(progress);
          if (heard.length === 2) aborter.abort();
        },
        aborter.signal,
      );
      await expect(running).rejects.toThrow();
      expect(heard).toHaveLength(2);
      expect(heard[1]).toBeGreaterThan(heard[0] ?? 0);
      await expect
        .poll(
          async () => {
            const args = { name: 'tools', script: 'scripts/fail.js', confirm: true };
            return (await client.callTool({ name: 'skill_run', arguments: args })).structuredContent;
          },
          { timeout: 10_000, interval: 100 },
        )
        .toMatchObject({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
    } finally {
      await client.close();
    }
  });
});
