import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { expectGone, RawServer, SERVER } from '../helpers/raw-server.js';
import { livingProcesses } from '../helpers/supervised.js';

const root = makeExampleRoot();
const servers: RawServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server.child.exitCode === null && server.child.signalCode === null) server.child.kill('SIGKILL');
    await server.exited;
  }
});

function open(env: Record<string, string> = {}, nodeArgs: readonly string[] = []): RawServer {
  const server = new RawServer({ env: { SKILLS_DIR: root, ...env }, nodeArgs });
  servers.push(server);
  return server;
}

/** A server with a script in flight that ignores SIGTERM and has a helper which does the same. */
async function openRunning(
  env: Record<string, string> = {},
): Promise<{ server: RawServer; pids: number[]; id: number }> {
  const server = open(env);
  await server.initialize();
  const args = { name: 'tools', script: 'scripts/stubborn.js', confirm: true };
  const id = server.send('tools/call', { name: 'skill_run', arguments: args, _meta: { progressToken: 1 } });
  await server.find(({ params }) => String(params?.message).includes('still here'));
  const pids = server.tree();
  const commands = livingProcesses().filter(({ pid }) => pids.includes(pid));
  expect(commands.some(({ command }) => command.includes('stubborn-helper'))).toBe(true);
  return { server, pids, id };
}

/** Exit code and how long it took, ms; nothing of the process tree is left afterwards. */
async function watchEnd(server: RawServer, pids: readonly number[], cause: () => void) {
  const startedMs = performance.now();
  cause();
  const [code, signal] = await server.exited;
  const tookMs = performance.now() - startedMs;
  await expectGone(pids);
  const goneMs = performance.now() - startedMs;
  return { code, signal, tookMs, goneMs };
}

const causes: [string, (server: RawServer) => void][] = [
  ['stdin ends', (server) => server.child.stdin.end()],
  ['SIGINT', (server) => server.child.kill('SIGINT')],
  ['SIGTERM', (server) => server.child.kill('SIGTERM')],
  ['SIGHUP', (server) => server.child.kill('SIGHUP')],
];

describe('the end of the server [server.ends, settings.exit-codes]', () => {
  it.each(causes)('before anything was said: %s', async (_name, cause) => {
    const server = open();
    // A signal that comes before the program runs is the system's to answer.
    server.write('\n[]\n');
    await server.find(({ error }) => error?.code === -32600);
    const end = await watchEnd(server, [server.pid], () => cause(server));
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
    expect(server.strays).toEqual([]);
  });

  it.each(causes)('with a stubborn script in flight and a long grace: %s', async (_name, cause) => {
    const { server, pids, id } = await openRunning({ SKILL_MCP_KILL_GRACE: '5000' });
    const end = await watchEnd(server, pids, () => cause(server));
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
    expect(server.strays).toEqual([]);
    // Whatever was still answered is an answer to the one open request.
    expect(server.messages.filter((message) => message.id === id).length).toBeLessThanOrEqual(1);
  });

  it.each(['portable', 'auto'])('with a stubborn script in flight at fence %s: stdin ends', async (fence) => {
    const { server, pids, id } = await openRunning({ SKILL_MCP_FENCE: fence });
    const end = await watchEnd(server, pids, () => server.child.stdin.end());
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
    const answer = await server.answer(id);
    expect(answer.result.structuredContent).toMatchObject({ cancelled: true, exitCode: null });
  });

  it('answers what was read before stdin ended', async () => {
    const server = open();
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    const line = (id: number, method: string, params: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    server.child.stdin.end(
      [
        line(1, 'initialize', initialize),
        line(2, 'tools/call', { name: 'skill_load', arguments: { name: 'words' } }),
        line(3, 'tools/call', { name: 'skill_list', arguments: {} }),
      ].join('\n'),
    );
    expect(await server.exited).toEqual([0, null]);
    expect(server.messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2, 3]));
    expect((await server.answer(2)).result.structuredContent.body).toContain('Instructions of words');
  });

  it('comes when stdout is closed, with a script in flight', async () => {
    const { server, pids } = await openRunning();
    const end = await watchEnd(server, pids, () => {
      server.child.stdout.destroy();
      server.notify('notifications/initialized');
      server.send('ping');
    });
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
  });

  it('comes quietly when all three pipes are closed during a call', async () => {
    const { server, pids } = await openRunning({ SKILL_MCP_LOG_LEVEL: 'debug' });
    const end = await watchEnd(server, pids, () => {
      server.child.stderr.destroy();
      server.child.stdout.destroy();
      server.child.stdin.destroy();
    });
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
  });

  it('comes when stderr is closed and something is logged', async () => {
    const server = open({ SKILL_MCP_LOG_LEVEL: 'debug' });
    await server.initialize();
    const end = await watchEnd(server, [server.pid], () => {
      server.child.stderr.destroy();
      server.write('[]\n');
    });
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
  });

  it('does not wait for a client that has stopped reading', async () => {
    const { server, pids } = await openRunning();
    server.child.stdout.pause();
    for (let n = 0; n < 3; n++) {
      server.send('tools/call', { name: 'skill_file', arguments: { name: 'tools', path: 'large.txt' } });
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const end = await watchEnd(server, pids, () => server.child.kill('SIGTERM'));
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.goneMs).toBeLessThan(2_000);
  });

  it("follows the parent's death although stdin stays open", async () => {
    const text = `
      const { spawn } = require('node:child_process');
      const [server, root] = process.argv.slice(1);
      const child = spawn(process.execPath, [server], { stdio: [0, 'pipe', 'ignore'], env: { PATH: '/usr/bin:/bin', SKILLS_DIR: root } });
      child.stdout.once('data', () => console.log(child.pid));
    `;
    // The pipe to stdin is held open by this test, not by the parent that dies.
    const parent = spawn(process.execPath, ['-e', text, SERVER, root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    parent.stdin.write('[]\n');
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('skill-mcp.js');
    const startedMs = performance.now();
    parent.kill('SIGKILL');
    await expectGone([pid]);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    parent.stdin.destroy();
  });

  it('leaves nothing when the server itself is killed [fence.server-killed]', async () => {
    const { server, pids } = await openRunning();
    server.child.kill('SIGKILL');
    await expectGone(pids);
  });

  it('comes with exit code 1 after a fault that nothing caught, and one line says which', async () => {
    const throwing = "process.on('SIGUSR2', () => { throw new Error('first\\nsecond'); })";
    const server = open({}, ['--import', `data:text/javascript,${encodeURIComponent(throwing)}`]);
    await server.initialize();
    server.child.kill('SIGUSR2');
    expect(await server.exited).toEqual([1, null]);
    expect(server.stderr).toMatch(/^skill-mcp error: uncaught: Error: first second [^\n]*\n$/);
    expect(server.strays).toEqual([]);
  });
});

describe('the server goes on', () => {
  it('after a promise that nobody looked at', async () => {
    const rejecting = "process.on('SIGUSR2', () => { Promise.reject(new Error('forgotten')); })";
    const server = open({}, ['--import', `data:text/javascript,${encodeURIComponent(rejecting)}`]);
    await server.initialize();
    server.child.kill('SIGUSR2');
    await expect
      .poll(() => server.stderr, { timeout: 10_000 })
      .toMatch(/^skill-mcp error: unhandled: .*forgotten/);
    expect((await server.request('ping')).result).toEqual({});
    await server.end();
  });

  it('after SIGUSR1, without opening a debugger', async () => {
    const server = open();
    await server.initialize();
    server.child.kill('SIGUSR1');
    await expect.poll(() => server.stderr, { timeout: 10_000 }).toMatch(/SIGUSR1/);
    expect((await server.request('ping')).result).toEqual({});
    expect(server.stderr).not.toMatch(/Debugger/);
    await server.end();
  });
});
