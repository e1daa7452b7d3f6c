import { afterEach, describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { RawServer } from '../helpers/raw-server.js';

const root = makeExampleRoot();
let server: RawServer;

const open = (env: Record<string, string> = {}, nodeArgs: string[] = []) => {
  server = new RawServer({ env: { SKILLS_DIR: root, ...env }, nodeArgs });
  return server;
};

afterEach(async () => {
  if (server.child.exitCode === null) server.child.kill('SIGKILL');
  await server.exited;
  expect(server.strays).toEqual([]);
});

describe('bad lines [server.bad-lines]', () => {
  it('cost themselves only: malformed, blank, a batch, no object, null params, not UTF-8', async () => {
    const { write, request, find } = bind(open());
    write('\ufeff');
    await server.initialize();
    write('\n   \n\r\n');
    write('{"jsonrpc":\n');
    await find(({ error }) => error?.code === -32700);
    write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
    await find(({ id, error }) => id === null && error?.code === -32600);
    write('{"jsonrpc":"2.0","id":"n","method":"tools/list","params":null}\n');
    expect((await server.answer('n')).error?.code).toBe(-32602);
    write('{"jsonrpc":"2.0","method":"notifications/initialized","params":null}\n');
    write(Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]));
    write('7\n"x"\nnull\n');
    expect((await request('tools/list')).result.tools).toHaveLength(4);
    expect(server.stderr).toMatch(/^(skill-mcp warn: [^\n]+\n)+$/);
    await server.end();
  });

  it('of 11 MiB are thrown away with an answer, in the middle of a session', async () => {
    open();
    await server.initialize();
    const line = Buffer.alloc(11 * 1024 * 1024, 0x20);
    line.write('{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"');
    server.write(line);
    server.write('"}}\n');
    await server.find(({ id, error }) => id === null && error?.code === -32600);
    expect((await server.request('ping')).result).toEqual({});
    await server.end();
  });

  it('may come before anything else', async () => {
    open();
    server.write(`${'x'.repeat(11 * 1024 * 1024)}\n[]\n`);
    expect((await server.initialize()).result.serverInfo.name).toBe('skill-mcp');
    await server.end();
  });
});

describe('lines', () => {
  it('may arrive byte by byte, characters of several bytes included', async () => {
    open();
    await server.initialize();
    const params = {
      name: 'skill_run',
      arguments: { name: 'tools', script: 'scripts/echo.js', args: ['é😀技'] },
    };
    for (const byte of Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`,
    )) {
      server.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { result } = await server.answer(1);
    expect(result.structuredContent.willRun.argv).toEqual(['scripts/echo.js', 'é😀技']);
    await server.end();
  });

  it('answer unknown methods, unknown tools and wrong parameters as protocol errors in one line', async () => {
    open();
    await server.initialize();
    const codes = await Promise.all([
      server.request('no/such'),
      server.request('tools/call', { name: 'no_such_tool', arguments: {} }),
      server.request('tools/call', { arguments: {} }),
      server.request('tools/call', { name: 'skill_load', arguments: 'words' }),
      server.request('tools/list', { cursor: 5 }),
      server.request('initialize', {}),
    ]);
    expect(codes.map(({ error }) => error?.code)).toEqual([-32601, -32602, -32602, -32602, -32602, -32602]);
    for (const { error } of codes) expect(error?.message).not.toMatch(/\n/);
    await server.end();
  });

  it('are never over 8 MiB, even when a script prints a megabyte of escapes', async () => {
    open();
    await server.initialize();
    const answer = await server.call('skill_run', {
      name: 'tools',
      script: 'scripts/escape.js',
      confirm: true,
    });
    expect(answer.exitCode).toBe(0);
    expect(answer.stdout).toHaveLength(1024 * 1024);
    const longest = Math.max(...server.messages.map((message) => Buffer.byteLength(JSON.stringify(message))));
    expect(longest).toBeLessThanOrEqual(8 * 1024 * 1024);
    await server.end();
  });
});

describe('stdout carries messages only [server.stdout]', () => {
  it.each([
    ['warnings of Node', {}, ['--pending-deprecation', '--trace-warnings']],
    ['a module that prints while we serve', {}, ['--import', noisyModule()]],
    ['every log line there is', { SKILL_MCP_LOG_LEVEL: 'debug' }, []],
  ])('with %s', async (_what, env, nodeArgs) => {
    open(env, nodeArgs);
    await server.initialize();
    await server.call('skill_list');
    await server.refuse('skill_load', { name: 'nobody' });
    await server.call('skill_run', { name: 'tools', script: 'scripts/fail.js', confirm: true });
    if (nodeArgs[0] === '--import') {
      await expect.poll(() => server.stderr.match(/stray/g)?.length, { timeout: 10_000 }).toBe(4);
    }
    await server.end();
  });
});

/** Prints on a timer, as a dependency might: by the console and by the stream of the moment. */
function noisyModule(): string {
  const text =
    'setTimeout(() => { console.log("stray"); console.info("stray"); process.stdout.write("stray\\n"); process.emitWarning("stray"); }, 150);';
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

function bind(target: RawServer) {
  return {
    write: target.write.bind(target),
    request: target.request.bind(target),
    find: target.find.bind(target),
  };
}
