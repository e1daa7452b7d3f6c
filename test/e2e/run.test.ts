import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { sandboxesWork } from '../helpers/namespaces.js';
import { RawServer } from '../helpers/raw-server.js';
import { makeDirectory, nodeScript, writeSkill } from '../helpers/skills.js';
import { processesNaming } from '../helpers/supervised.js';

const root = makeExampleRoot();
let server: RawServer;

async function open(env: Record<string, string> = {}): Promise<RawServer> {
  server = new RawServer({ env: { SKILLS_DIR: root, GRANTED: 'granted-value', ...env } });
  await server.initialize();
  return server;
}

afterEach(async () => {
  if (server.child.exitCode === null) server.child.kill('SIGKILL');
  await server.exited;
});

const echo = { name: 'tools', script: 'scripts/echo.js' };

describe('a preview [confirm.preview]', () => {
  it('shows exactly what would run, with names and without values', async () => {
    await open({ SECRET: 'not-for-scripts' });
    const preview = await server.call('skill_run', { ...echo, args: ['--city', 'Bern'], stdin: 'é' });
    expect(preview).toEqual({
      dryRun: true,
      willRun: {
        skill: 'tools',
        script: 'scripts/echo.js',
        interpreter: 'node',
        argv: ['scripts/echo.js', '--city', 'Bern'],
        cwd: path.join(root, 'tools'),
        timeoutMs: 60_000,
        envNames: ['GRANTED', 'LANG', 'PATH', 'SKILL_MCP_RUN_ID'],
        envNotSet: ['MISSING'],
        envWarning: expect.stringMatching(/^GRANTED /),
        stdinBytes: 2,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        // Where there are no namespaces, a reason says why.
        fence: expect.objectContaining({
          level: expect.stringMatching(/^(portable|namespace)$/),
          network: 'host',
        }),
      },
      confirmToken: expect.any(String),
      expiresAt: expect.any(String),
      note: expect.any(String),
    });
    expect(JSON.stringify(server.messages)).not.toMatch(/granted-value|not-for-scripts/);
    await server.end();
  });

  it('is what a call gets whose confirm is no boolean, and it says so', async () => {
    await open();
    for (const confirm of ['true', 1, ['true'], {}]) {
      const preview = await server.call('skill_run', { ...echo, confirm });
      expect(preview).toMatchObject({ dryRun: true, note: expect.stringMatching(/only the boolean true/) });
    }
    await server.end();
  });

  it('is refused when the run would be [run.declared-only, declare.interpreters]', async () => {
    await open();
    const refusals = await Promise.all([
      server.refuse('skill_run', { name: 'nobody', script: 'a.js' }),
      server.refuse('skill_run', { name: 'words', script: 'a.js' }),
      server.refuse('skill_run', { name: 'tools', script: 'tools/scripts/echo.js' }),
      server.refuse('skill_run', { name: 'tools', script: '/bin/sh' }),
      server.refuse('skill_run', { name: 'tools', script: 'scripts/snake.py' }),
      server.refuse('skill_run', { ...echo, args: ['a\0b'] }),
      server.refuse('skill_run', { ...echo, args: Array.from({ length: 65 }, () => 'x') }),
      server.refuse('skill_run', { ...echo, args: 'Bern' }),
      server.refuse('skill_run', { ...echo, args: '["a", 1]' }),
      server.refuse('skill_run', { ...echo, arguments: ['a'] }),
      server.refuse('skill_run', { ...echo, stdin: 'x'.repeat(1024 * 1024 + 1) }),
    ]);
    expect(refusals).toEqual([
      expect.stringMatching(/no skill named "nobody"/),
      expect.stringMatching(/declares no scripts.*mcp-host\.run/),
      expect.stringMatching(/not declared.*scripts\/echo\.js, scripts\/fail\.js/),
      expect.stringMatching(/not declared/),
      expect.stringMatching(/interpreter "python".*it runs node/),
      expect.stringMatching(/NUL/),
      expect.stringMatching(/65 arguments, at most 64/),
      expect.stringMatching(/args.*\["--city", "Bern"\]/),
      expect.stringMatching(/args/),
      expect.stringMatching(/unknown field "arguments".*args/),
      expect.stringMatching(/stdin/),
    ]);
    const { skills } = await server.call('skill_list');
    expect(refusals[4]).toBe(skills[0].unavailableScripts[0].reason);
    await server.end();
  });
});

describe('a run', () => {
  it('hands arguments and stdin over verbatim, without a shell [run.no-shell, run.stdin]', async () => {
    await open();
    const args = ['-e', '$(id)', 'a b', '\n', '"', "'", '', '😀', '--', '\\', '*'];
    const run = await server.call('skill_run', { ...echo, args, stdin: 'zwei\nZeilen', confirm: true });
    const seen = JSON.parse(run.stdout);
    expect(seen).toMatchObject({ argv: args, stdin: 'zwei\nZeilen', cwd: path.join(root, 'tools') });
    const listed = await server.call('skill_run', { ...echo, args: JSON.stringify(args), confirm: true });
    expect(JSON.parse(listed.stdout)).toMatchObject({ argv: args, stdin: '' });
    await server.end();
  });

  it('sees the fixed variables and the granted one, and no other [run.environment]', async () => {
    await open({ SECRET: 'not-for-scripts', HOME: '/tmp', TZ: 'UTC', NODE_PATH: '/nowhere' });
    const run = await server.call('skill_run', { ...echo, confirm: true });
    const { env } = JSON.parse(run.stdout);
    expect(env).toEqual({
      PATH: '/usr/bin:/bin',
      HOME: '/tmp',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      GRANTED: 'granted-value',
      SKILL_MCP_RUN_ID: expect.any(String),
    });
    expect(run.env).toEqual(Object.keys(env).sort());
    await server.end();
  });

  it('answers with both streams and the exit code, whatever it is [run.any-end]', async () => {
    await open({ HTTPS_PROXY: 'http://127.0.0.1:1' });
    const run = await server.call('skill_run', { name: 'tools', script: 'scripts/fail.js', confirm: true });
    expect(run).toMatchObject({
      skill: 'tools',
      script: 'scripts/fail.js',
      interpreter: 'node',
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: { stdout: false, stderr: false },
      totalBytes: { stdout: 4, stderr: 4 },
      timedOut: false,
      cancelled: false,
      survivors: { killed: 0, possible: expect.any(Boolean) },
      networkNote: expect.stringMatching(/403/),
    });
    await server.end();
  });

  it('is refused while another one runs, but a preview is not [run.one-at-a-time]', async () => {
    await open();
    const slow = { name: 'tools', script: 'scripts/slow.js', confirm: true };
    const id = server.send('tools/call', {
      name: 'skill_run',
      arguments: slow,
      _meta: { progressToken: 'p' },
    });
    await server.find(({ params }) => params?.progressToken === 'p');
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/^busy/);
    expect((await server.call('skill_run', echo)).dryRun).toBe(true);
    server.notify('notifications/cancelled', { requestId: id });
    await expect.poll(() => processesNaming(path.join(root, 'tools/scripts/slow.js'))).toEqual([]);
    expect((await server.call('skill_run', { ...echo, confirm: true })).exitCode).toBe(0);
    expect(server.messages.some((message) => message.id === id)).toBe(false);
    await server.end();
  });

  it('reports progress once a second with the last line of output [run.progress]', async () => {
    await open();
    const slow = { name: 'tools', script: 'scripts/slow.js', confirm: true };
    server.send('tools/call', { name: 'skill_run', arguments: slow, _meta: { progressToken: 7 } });
    await server.find(({ params }) => Number(params?.progress) >= 3);
    const heard = server.messages.filter(({ method }) => method === 'notifications/progress');
    expect(heard.length).toBeLessThanOrEqual(3);
    expect(heard.at(-1)?.params).toEqual({
      progressToken: 7,
      progress: expect.any(Number),
      total: 30,
      message: expect.stringMatching(/^line \d+$/),
    });
    await server.end();
  });

  it('costs its own answer when the supervisor is killed; the next one works [run.lost]', async () => {
    await open();
    const stubborn = { name: 'tools', script: 'scripts/stubborn.js', confirm: true };
    const id = server.send('tools/call', {
      name: 'skill_run',
      arguments: stubborn,
      _meta: { progressToken: 1 },
    });
    await server.find(({ params }) => String(params?.message).includes('still here'));
    const script = processesNaming(path.join(root, 'tools/scripts/stubborn.js')).map(({ pid }) => pid);
    const [supervisor] = processesNaming('supervisor-child.js').filter(({ parent }) => parent === server.pid);
    expect(supervisor).toBeDefined();
    process.kill(supervisor?.pid ?? 0, 'SIGKILL');
    const { result } = await server.answer(id);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/supervisor lost.*outcome.*unknown/);
    expect((await server.call('skill_run', { ...echo, confirm: true })).exitCode).toBe(0);
    await expect
      .poll(() =>
        processesNaming(path.join(root, 'tools/scripts/stubborn.js')).filter(({ pid }) =>
          script.includes(pid),
        ),
      )
      .toEqual([]);
    const { supervisor: status } = await server.call('skill_list');
    expect(status).toMatchObject({ state: 'ready', restarts: 1, lastError: expect.any(String) });
    await server.end();
  });
});

describe('a run that does not end well', () => {
  const own = makeDirectory();
  writeSkill(own, 'bad', {
    run: [
      nodeScript('late.js', 'timeout: 1'),
      nodeScript('crash.js'),
      nodeScript('loud.js'),
      nodeScript('broken.js'),
      nodeScript('daemon.js'),
    ],
    files: {
      'late.js': "process.on('SIGTERM', () => {}); console.log('begun'); setTimeout(() => {}, 20_000);\n",
      'crash.js':
        "console.log('before'); process.kill(process.pid, 'SIGSEGV'); setTimeout(() => {}, 20_000);\n",
      'loud.js': "for (let n = 0; n < 40; n++) process.stdout.write('é'.repeat(32 * 1024) + 'x');\n",
      'broken.js': 'process.stdout.write(Buffer.from([0x61, 0xff, 0x62]));\n',
      'daemon.js': `
        const { spawn } = require('node:child_process');
        const stay = 'setTimeout(() => {}, 30_000)';
        spawn(process.execPath, ['-e', stay, 'left-behind'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref();
        console.log('done');
      `,
    },
  });
  const run = (script: string) => server.call('skill_run', { name: 'bad', script, confirm: true });

  it('is ended when its time is over, by force if need be [run.timeout]', async () => {
    await open({ SKILLS_DIR: own });
    const answer = await run('late.js');
    expect(answer).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL', timeoutMs: 1_000 });
    expect(answer.stdout).toBe('begun\n');
    expect(answer.durationMs).toBeGreaterThanOrEqual(1_000);
    expect(processesNaming(path.join(own, 'bad'))).toEqual([]);
    await server.end();
  });

  it('reports the signal that ended it, with its output [run.any-end]', async () => {
    await open({ SKILLS_DIR: own });
    expect(await run('crash.js')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', stdout: 'before\n' });
    await server.end();
  });

  it('keeps the first MiB of its output, cut at a character, and counts the rest [run.output-cap]', async () => {
    await open({ SKILLS_DIR: own });
    const answer = await run('loud.js');
    expect(answer).toMatchObject({
      exitCode: 0,
      truncated: { stdout: true, stderr: false },
      totalBytes: { stdout: 40 * (64 * 1024 + 1), stderr: 0 },
    });
    expect(Buffer.byteLength(answer.stdout)).toBeGreaterThan(1024 * 1024 - 2);
    expect(answer.stdout).not.toContain('\ufffd');
    await server.end();
  });

  it('shows bytes that are no text as such, and counts them', async () => {
    await open({ SKILLS_DIR: own });
    expect(await run('broken.js')).toMatchObject({
      stdout: 'a\ufffdb',
      invalidUtf8: { stdout: 1, stderr: 0 },
    });
    await server.end();
  });

  it('cannot leave a daemon behind, at either level [run.nothing-left, fence.level]', async () => {
    for (const fence of ['portable', 'auto']) {
      await open({ SKILLS_DIR: own, SKILL_MCP_FENCE: fence });
      const { fence: listed } = await server.call('skill_list');
      const { willRun } = await server.call('skill_run', { name: 'bad', script: 'daemon.js' });
      const answer = await run('daemon.js');
      expect(answer).toMatchObject({ exitCode: 0, stdout: 'done\n' });
      expect([listed.level, willRun.fence.level]).toEqual([answer.fence.level, answer.fence.level]);
      if (fence === 'portable') expect(answer.fence.level).toBe('portable');
      expect(processesNaming('left-behind')).toEqual([]);
      await server.end();
    }
  });
});

describe('confirmation by token [confirm.token, confirm.modes]', () => {
  it('runs what was previewed, once, and only together with confirm', async () => {
    await open({ SKILL_MCP_CONFIRM: 'token' });
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/^TOKEN_INVALID /);
    const { confirmToken } = await server.call('skill_run', echo);
    expect((await server.call('skill_run', { ...echo, confirmToken })).dryRun).toBe(true);
    expect((await server.call('skill_run', { ...echo, confirm: true, confirmToken })).exitCode).toBe(0);
    expect(await server.refuse('skill_run', { ...echo, confirm: true, confirmToken })).toMatch(
      /^TOKEN_REUSED /,
    );
    const forged = `${confirmToken.slice(0, -1)}${confirmToken.endsWith('A') ? 'Q' : 'A'}`;
    expect(await server.refuse('skill_run', { ...echo, confirm: true, confirmToken: forged })).toMatch(
      /^TOKEN_INVALID /,
    );
    await server.end();
  });

  it('gives a token back when the slot was taken', async () => {
    await open({ SKILL_MCP_CONFIRM: 'token' });
    const slow = { name: 'tools', script: 'scripts/slow.js' };
    const first = await server.call('skill_run', slow);
    const second = await server.call('skill_run', echo);
    const id = server.send('tools/call', {
      name: 'skill_run',
      arguments: { ...slow, confirm: true, confirmToken: first.confirmToken },
      _meta: { progressToken: 'p' },
    });
    await server.find(({ params }) => params?.progressToken === 'p');
    const confirmed = { ...echo, confirm: true, confirmToken: second.confirmToken };
    expect(await server.refuse('skill_run', confirmed)).toMatch(/^busy/);
    server.notify('notifications/cancelled', { requestId: id });
    await expect.poll(() => processesNaming(path.join(root, 'tools/scripts/slow.js'))).toEqual([]);
    expect((await server.call('skill_run', confirmed)).exitCode).toBe(0);
    await server.end();
  });

  it('asks for a token where a person should be asked', async () => {
    await open({ SKILL_MCP_CONFIRM: 'ask' });
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/^TOKEN_INVALID /);
    const { confirmToken } = await server.call('skill_run', echo);
    expect((await server.call('skill_run', { ...echo, confirm: true, confirmToken })).exitCode).toBe(0);
    await server.end();
  });

  it('refuses every run when the mode is a word that does not exist', async () => {
    await open({ SKILL_MCP_CONFIRM: 'tokne' });
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/switched off/);
    const { problems } = await server.call('skill_list');
    expect(problems).toContainEqual(expect.objectContaining({ path: 'SKILL_MCP_CONFIRM' }));
    await server.end();
  });

  it('only previews where running is switched off', async () => {
    await open({ SKILL_MCP_CONFIRM: 'refuse' });
    expect((await server.call('skill_run', echo)).dryRun).toBe(true);
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/switched off/);
    await server.end();
  });
});

describe('a script that changed after its preview [confirm.changed, run.approved-bytes]', () => {
  it('is refused with what changed and a fresh preview that can be confirmed', async () => {
    const own = makeDirectory();
    const directory = writeSkill(own, 'shifty', {
      run: [nodeScript('run.js')],
      files: { 'run.js': 'console.log("one")\n' },
    });
    const file = path.join(directory, 'run.js');
    await open({ SKILLS_DIR: own });
    const call = { name: 'shifty', script: 'run.js', args: ['x\u202ey'] };
    const before = await server.call('skill_run', call);
    const { size, times } = { size: readFileSync(file).byteLength, times: new Date(2026, 0, 1) };
    utimesSync(file, times, times);
    writeFileSync(file, 'console.log("two")\n');
    utimesSync(file, times, times);
    expect(readFileSync(file).byteLength).toBe(size);
    const line = await server.refuse('skill_run', {
      ...call,
      confirm: true,
      confirmToken: before.confirmToken,
    });
    expect(line).toMatch(/^PLAN_CHANGED the script's bytes changed/);
    const fresh = JSON.parse(line.slice(line.indexOf('preview: ') + 'preview: '.length));
    expect(fresh.willRun.argv).toEqual(['run.js', 'x\u202ey']);
    expect(fresh.willRun.sha256).not.toBe(before.willRun.sha256);
    const run = await server.call('skill_run', { ...call, confirm: true, confirmToken: fresh.confirmToken });
    expect(run.stdout).toBe('two\n');
    const other = await server.refuse('skill_run', {
      ...call,
      args: ['other'],
      confirm: true,
      confirmToken: before.confirmToken,
    });
    expect(other).toMatch(/^PLAN_CHANGED the script's bytes, the arguments changed/);
    await server.end();
  });

  it('is told when it changes itself while it runs', async () => {
    const own = makeDirectory();
    writeSkill(own, 'shifty', {
      run: [nodeScript('run.js')],
      files: { 'run.js': "require('node:fs').appendFileSync(__filename, '// more\\n');\n" },
    });
    await open({ SKILLS_DIR: own });
    const run = await server.call('skill_run', { name: 'shifty', script: 'run.js', confirm: true });
    expect(run).toMatchObject({ exitCode: 0, scriptChanged: true });
    await server.end();
  });
});

describe('under a host', () => {
  it('nothing runs without a grant, and the list says why [grant.hosted]', async () => {
    await open({ MCP_SKILLS_PATH: root });
    const list = await server.call('skill_list');
    expect(list).toMatchObject({
      grantFrom: 'hosted-default',
      grantNote: expect.stringMatching(/MCP_SKILL_RUN/),
    });
    expect(list.skills[0]).toMatchObject({ executable: false, scripts: [] });
    expect(list.skills[0].ungrantedScripts).toContain('scripts/echo.js');
    expect(list.supervisor.state).toBe('idle');
    expect(list.fence.level).toBe('unknown');
    expect(await server.refuse('skill_run', echo)).toMatch(/not granted.*MCP_SKILL_RUN/);
    await server.end();
  });

  it('a grant allows its rows and no more [grant.narrows, grant.pin]', async () => {
    const probe = await open();
    const { willRun } = await probe.call('skill_run', { name: 'tools', script: 'scripts/fail.js' });
    await probe.end();
    const rows = [
      { skill: 'tools', script: 'scripts/echo.js', env: ['SECRET'] },
      { skill: 'tools', script: 'scripts/fail.js', sha256: willRun.sha256 },
      { skill: 'tools', script: 'scripts/slow.js', sha256: 'a'.repeat(64) },
      { skill: 'tools', script: 'scripts/none.js' },
    ];
    await open({ MCP_SKILLS_PATH: root, SECRET: 'not-for-scripts', MCP_SKILL_RUN: JSON.stringify(rows) });
    const list = await server.call('skill_list');
    expect(list.grantFrom).toBe('MCP_SKILL_RUN');
    const details = list.problems.filter(({ reason }: { reason: string }) => reason === 'grant');
    expect(details).toHaveLength(2);
    const run = await server.call('skill_run', { ...echo, confirm: true });
    expect(Object.keys(JSON.parse(run.stdout).env).sort()).toEqual(['LANG', 'PATH', 'SKILL_MCP_RUN_ID']);
    const pinned = await server.call('skill_run', {
      name: 'tools',
      script: 'scripts/fail.js',
      confirm: true,
    });
    expect(pinned.exitCode).toBe(3);
    expect(await server.refuse('skill_run', { name: 'tools', script: 'scripts/slow.js' })).toMatch(
      /bytes.*granted/,
    );
    expect(await server.refuse('skill_run', { name: 'tools', script: 'scripts/spy.js' })).toMatch(
      /not granted/,
    );
    await server.end();
  });
});

describe('a fence that cannot be had [fence.minimum]', () => {
  it('refuses every run and preview, and the list says why', async () => {
    await open({ SKILL_MCP_FENCE: 'portable', SKILL_MCP_MIN_FENCE: 'namespace' });
    const { fence } = await server.call('skill_list');
    expect(fence.reason).toEqual(expect.any(String));
    expect(await server.refuse('skill_run', echo)).toMatch(/namespace/);
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/namespace/);
    await server.end();
  });
});

describe.runIf(sandboxesWork)('the sandbox [fence.sandbox, fence.network]', () => {
  const own = makeDirectory();
  const look = `console.log(JSON.stringify({
    up: require('node:fs').readdirSync('/'),
    skills: require('node:fs').readdirSync(require('node:path').dirname(process.cwd())),
    links: Object.keys(require('node:os').networkInterfaces()),
  }));`;
  const writeRunner = (name: string, script: string, egress = '[]') => {
    const block = `mcp-host:\n  version: 1\n  run:\n    - script: scripts/run.js\n      interpreter: node\n  egress: ${egress}`;
    writeSkill(own, name, { frontmatter: block, files: { 'scripts/run.js': script } });
  };
  writeRunner('alone', look);
  writeRunner('talker', look, '[api.example.org]');

  it('shows a script its own skill alone, and the network only where it is declared', async () => {
    await open({ SKILLS_DIR: own, SKILL_MCP_FENCE: 'sandbox' });
    const { fence } = await server.call('skill_list');
    expect(fence).toEqual({ level: 'sandbox', network: 'none' });
    for (const [name, network] of [
      ['alone', 'none'],
      ['talker', 'host'],
    ] as const) {
      const call = { name, script: 'scripts/run.js' };
      const preview = await server.call('skill_run', call);
      expect(preview.willRun.fence).toEqual({ level: 'sandbox', network });
      const result = await server.call('skill_run', {
        ...call,
        confirm: true,
        confirmToken: preview.confirmToken,
      });
      expect(result).toMatchObject({ exitCode: 0, fence: { level: 'sandbox', network } });
      const seen = JSON.parse(result.stdout);
      expect(seen.skills).toEqual([name]);
      expect(seen.up).not.toContain('home');
      const links = network === 'host' ? Object.keys(networkInterfaces()) : ['lo'];
      expect(seen.links).toEqual(links);
    }
    await server.end();
  });

  it('lets a script write to the data directory and nowhere else', async () => {
    const data = makeDirectory();
    writeRunner(
      'writer',
      `const { writeFileSync } = require('node:fs');
      writeFileSync(process.env.MCP_DATA_DIR + '/new', 'x');
      try { writeFileSync('new', 'x'); console.log('wrote'); } catch (error) { console.log(error.code); }`,
    );
    await open({
      SKILLS_DIR: own,
      SKILL_MCP_FENCE: 'sandbox',
      MCP_DATA_DIR: data,
      MCP_SKILL_RUN: JSON.stringify([{ skill: 'writer', script: 'scripts/run.js' }]),
    });
    const result = await server.call('skill_run', {
      name: 'writer',
      script: 'scripts/run.js',
      confirm: true,
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'EROFS\n' });
    expect(readFileSync(path.join(data, 'new'), 'utf8')).toBe('x');
    await server.end();
  });
});

describe('what is on top of the level [fence.options]', () => {
  it('stands in list, preview and result', async () => {
    await open({ SKILL_MCP_LIMITS: 'nofile=512', SKILL_MCP_NODE_PERMISSION: '1' });
    const hardening = ['limits', 'node-permission'];
    // An answer does not wait for a supervisor that takes its time.
    const list = async () => (await server.call('skill_list')).fence;
    await expect.poll(list, { timeout: 10_000 }).toMatchObject({ hardening });
    expect((await server.call('skill_run', echo)).willRun.fence).toMatchObject({ hardening });
    const result = await server.call('skill_run', { ...echo, confirm: true });
    expect(result).toMatchObject({ exitCode: 0, fence: { hardening } });
    await server.end();
  });

  it('refuses every run and preview when it cannot be had, and the list says why', async () => {
    await open({ SKILL_MCP_CGROUP: '/tmp' });
    const reason = async () => (await server.call('skill_list')).fence.reason;
    await expect.poll(reason, { timeout: 10_000 }).toMatch(/no control group/);
    expect(await server.refuse('skill_run', echo)).toMatch(/no control group/);
    expect(await server.refuse('skill_run', { ...echo, confirm: true })).toMatch(/no control group/);
    await server.end();
  });
});

describe('reading', () => {
  it('hands instructions over word for word, with where they are and what is beside them [tools.load]', async () => {
    const own = makeDirectory();
    const body = `---\n\u001b "quoted"\r\n${'é'.repeat(150 * 1024)}`;
    writeSkill(own, 'long', { body });
    writeSkill(own, 'short', { body: '  <b>as it is</b>\u202e\r\n\r\n---\nend', files: { 'a/b.md': 'x' } });
    await open({ SKILLS_DIR: own });
    const short = await server.call('skill_load', { name: 'short' });
    expect(short).toMatchObject({
      name: 'short',
      source: own,
      base: path.join(own, 'short'),
      body: '  <b>as it is</b>\u202e\r\n\r\n---\nend',
      truncated: false,
      scripts: [],
    });
    expect(short.files).toContainEqual({ path: 'a/b.md', size: 1 });
    const { result } = await server.request('tools/call', {
      name: 'skill_load',
      arguments: { name: 'long' },
    });
    const long = JSON.parse(result.content[0].text);
    expect(long).toMatchObject({ truncated: true, truncationNote: expect.any(String) });
    expect(body.startsWith(long.body)).toBe(true);
    expect(Buffer.byteLength(long.body)).toBeGreaterThan(255 * 1024);
    expect(result.structuredContent).toEqual({ ...long, body: '' });
    await server.end();
  });

  it('answers a batch in order; a bad path costs its own slot [tools.file]', async () => {
    await open();
    const { skill, files } = await server.call('skill_file', {
      name: 'tools',
      paths: ['pixel.png', 'none.md', 'notes.md', '../words/SKILL.md', 'SKILL.md'],
    });
    expect(skill).toBe('tools');
    expect(files).toMatchObject([
      { path: 'pixel.png', mediaType: 'image/png', encoding: 'base64', size: 12, truncated: false },
      { path: 'none.md', error: expect.any(String) },
      { path: 'notes.md', encoding: 'utf-8', content: '# Notes\n' },
      { path: '../words/SKILL.md', error: expect.any(String) },
      { path: 'SKILL.md', mediaType: 'text/markdown' },
    ]);
    expect(files[1]).not.toHaveProperty('content');
    await server.end();
  });

  it('wants one of path and paths and shows the right shape', async () => {
    await open();
    for (const args of [
      {},
      { path: 'notes.md', paths: ['notes.md'] },
      { paths: [] },
      { paths: 'notes.md' },
    ]) {
      expect(await server.refuse('skill_file', { name: 'tools', ...args })).toMatch(
        /the right shape is .*"paths"/,
      );
    }
    expect((await server.call('skill_file', { name: 'tools', paths: '["notes.md"]' })).files).toHaveLength(1);
    expect((await server.call('skill_file', { name: 'tools', path: 'notes.md', paths: null })).path).toBe(
      'notes.md',
    );
    expect(await server.refuse('skill_file', { name: 'tools', path: 'none.md' })).toMatch(/none\.md/);
    await server.end();
  });

  it('bounds what a call reads and sends', async () => {
    const own = makeDirectory();
    const mib = 1024 * 1024;
    const files: Record<string, string> = {};
    for (let n = 0; n < 6; n++) files[`${n}.txt`] = 'x'.repeat(mib);
    files['big.txt'] = 'é'.repeat(mib);
    files['escapes.txt'] = '\u001b'.repeat(mib);
    files['quotes.txt'] = '"'.repeat(900 * 1024);
    files['quotes-2.txt'] = '"'.repeat(900 * 1024);
    files['quotes-3.txt'] = '"'.repeat(900 * 1024);
    writeSkill(own, 'large', { files });
    await open({ SKILLS_DIR: own });
    const paths = ['0.txt', '1.txt', '2.txt', '3.txt'];
    expect((await server.call('skill_file', { name: 'large', paths })).files).toHaveLength(4);
    expect(await server.refuse('skill_file', { name: 'large', paths: [...paths, '4.txt'] })).toMatch(
      /fewer paths/,
    );
    const big = await server.call('skill_file', { name: 'large', path: 'big.txt' });
    expect(big).toMatchObject({ size: 2 * mib, truncated: true, truncationNote: expect.any(String) });
    expect(big.content).toBe('é'.repeat(mib / 2));
    const escapes = await server.call('skill_file', { name: 'large', path: 'escapes.txt' });
    expect(escapes).toMatchObject({ encoding: 'base64', truncated: false });
    const quotes = ['quotes.txt', 'quotes-2.txt', 'quotes-3.txt'];
    expect(await server.refuse('skill_file', { name: 'large', paths: quotes })).toMatch(/fewer paths/);
    appendFileSync(path.join(own, 'large', '0.txt'), 'more');
    expect((await server.call('skill_file', { name: 'large', path: '0.txt' })).size).toBe(mib + 4);
    const longest = Math.max(...server.messages.map((message) => Buffer.byteLength(JSON.stringify(message))));
    expect(longest).toBeLessThanOrEqual(8 * mib);
    await server.end();
  });
});
