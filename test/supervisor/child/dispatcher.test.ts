import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ARGUMENT_BYTES } from '../../../supervisor/protocol.js';
import { ChildDriver, type DriverOptions } from '../../helpers/child-driver.js';
import { needLevel } from '../../helpers/namespace-here.js';
import { LEVELS } from '../../helpers/namespaces.js';
import { eventually, findSleepers, findTraces, makeMark } from '../../helpers/process-traces.js';
import { runOf } from '../../helpers/scripts.js';

const children: ChildDriver[] = [];

async function start(options: DriverOptions = {}): Promise<ChildDriver> {
  const child = new ChildDriver({ fence: 'portable', ...options });
  children.push(child);
  await child.ready();
  return child;
}

afterEach(async () => {
  for (const child of children.splice(0)) await child.dispose();
});

describe('slots', () => {
  it('refuses a second run of the same tick at once, and takes the next when the first is done', async () => {
    const child = await start();
    const first = child.request({ file: '/bin/sleep', args: ['0.5'] });
    const second = child.request({ file: '/bin/true' });
    expect(await child.answer(second)).toMatchObject({ type: 'refused', code: 'busy' });
    expect(await child.answer(first)).toMatchObject({ type: 'finished', exitCode: 0 });
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ type: 'finished', exitCode: 0 });
  });

  it('frees the slot after every outcome', async () => {
    const child = await start();
    const outcomes: object[] = [];
    const bad = join(mkdtempSync(join(tmpdir(), 'bad-')), 'bad');
    writeFileSync(bad, '#!/nonexistent/interpreter\n');
    chmodSync(bad, 0o755);
    outcomes.push(await child.run({ file: bad }));
    outcomes.push(await child.run({ file: '/nonexistent' }));
    outcomes.push(await child.run({ file: '/bin/false' }));
    outcomes.push(await child.run({ file: '/bin/sleep', args: ['9'], timeoutMs: 100 }));
    outcomes.push(await child.run({ file: '/bin/true', fence: 'namespace' }));
    const pinned = { path: bad, root: '/nowhere', sha256: '0'.repeat(64), dev: '0', ino: '0' };
    outcomes.push(await child.run({ file: '/bin/true', script: pinned }));
    outcomes.push(await child.run({ file: '/bin/true' }));
    expect(outcomes).toMatchObject([
      { code: 'spawn-failed' },
      { code: 'invalid' },
      { exitCode: 1 },
      { timedOut: true },
      { code: 'fence-unavailable' },
      { code: 'changed' },
      { exitCode: 0 },
    ]);
    rmSync(bad);
  });

  it('lets runs wait in order; a deadline starts with the slot', async () => {
    const child = await start({ limits: { whenFull: 'wait' } });
    const ids = [0, 1, 2].map((n) =>
      child.request({ file: '/bin/sh', args: ['-c', `sleep 0.4; echo ${n}`], timeoutMs: 900 }),
    );
    const answers = await Promise.all(ids.map((id) => child.answer(id)));
    expect(answers.map(({ stdout }) => String(stdout))).toEqual(['0\n', '1\n', '2\n']);
    const order = child.received.flatMap(({ message }) => (message.type === 'finished' ? [message.id] : []));
    expect(order).toEqual(ids);
  });

  it('settles a waiting run that is cancelled, and never starts it', async () => {
    const child = await start({ limits: { whenFull: 'wait' } });
    const first = child.request({ file: '/bin/sleep', args: ['0.5'] });
    const second = child.request({ file: '/bin/true' });
    child.send({ type: 'cancel', id: second });
    expect(await child.answer(second)).toMatchObject({ type: 'refused' });
    expect(await child.answer(first)).toMatchObject({ exitCode: 0 });
    const started = child.received.filter(({ message }) => message.type === 'started');
    expect(started).toHaveLength(1);
  });

  it('runs as many at once as there are slots', async () => {
    const child = await start({ limits: { slots: 3, whenFull: 'refuse' } });
    const ids = [1, 2, 3, 4].map(() => child.request({ file: '/bin/sleep', args: ['0.5'] }));
    const answers = await Promise.all(ids.map((id) => child.answer(id)));
    expect(answers.map(({ type }) => type)).toEqual(['finished', 'finished', 'finished', 'refused']);
  });
});

describe('what is refused before anything is started', () => {
  let child: ChildDriver;
  beforeAll(async () => {
    child = new ChildDriver({ fence: 'portable', limits: { stdinBytes: 100, maxTimeoutMs: 20_000 } });
    await child.ready();
  });
  afterAll(() => child.dispose());

  const pin = { path: '/bin/true', root: '/bin', sha256: '0'.repeat(64), dev: '1', ino: '1' };
  const cases: Array<[string, Parameters<ChildDriver['run']>[0], RegExp]> = [
    [
      'an argument of 200,000 bytes',
      { file: '/bin/true', args: ['a', 'x'.repeat(200_000)] },
      /argument 2 is 200000 bytes/,
    ],
    ['an argument with a NUL byte', { file: '/bin/true', args: ['a\0b'] }, /argument 1 holds a NUL/],
    [
      'a variable that is too long',
      { file: '/bin/true', env: { A: 'x'.repeat(MAX_ARGUMENT_BYTES - 1) } },
      /^A with its value is 131072 bytes/,
    ],
    [
      'a variable with a NUL byte',
      { file: '/bin/true', env: { A: 'secret\0' } },
      /^the value of A holds a NUL/,
    ],
    ['a name that is no identifier', { file: '/bin/true', env: { 'A-B': '1' } }, /"A-B" is no name/],
    [
      'the name of the mark',
      { file: '/bin/true', env: { SKILL_MCP_RUN_ID: 'mine' } },
      /set by the supervisor/,
    ],
    [
      'a reserved name for a pinned script',
      { file: '/bin/true', env: { NODE_OPTIONS: '' }, script: pin },
      /NODE_OPTIONS is a reserved name/,
    ],
    [
      'a reserved prefix for a pinned script',
      { file: '/bin/true', env: { LD_PRELOAD: '' }, script: pin },
      /LD_PRELOAD is a reserved name/,
    ],
    ['a file that does not exist', { file: '/nonexistent' }, /no executable file/],
    ['a file that cannot be executed', { file: '/etc/passwd' }, /no executable file/],
    ['a directory for a file', { file: '/tmp' }, /no executable file/],
    ['a working directory that is none', { file: '/bin/true', cwd: '/etc/passwd' }, /no directory/],
    ['a timeout that is too long', { file: '/bin/true', timeoutMs: 20_001 }, /at most 20000/],
  ];
  it.each(cases)('%s', async (_, run, message) => {
    const answer = await child.run(run);
    expect(answer).toMatchObject({ type: 'refused', code: 'invalid' });
    expect(answer.type === 'refused' && answer.message).toMatch(message);
    expect(answer.type === 'refused' && answer.message).not.toMatch(/secret|xxx|\n/);
    expect(child.received.some(({ message: { type } }) => type === 'started')).toBe(false);
  });

  it('lets the longest argument through', async () => {
    const answer = await child.run({ file: '/bin/true', args: ['x'.repeat(MAX_ARGUMENT_BYTES)] });
    expect(answer).toMatchObject({ type: 'finished', exitCode: 0 });
  });

  it('has bytes for stdin without asking for stdin', async () => {
    const id = child.request({ file: '/bin/cat', stdin: false }, Buffer.from('x'));
    expect(await child.answer(id)).toMatchObject({ code: 'invalid' });
  });
});

describe.each(LEVELS)('arguments that are too many for the system, at %s', (fence) => {
  it('are a failed spawn, with a reason', async (context) => {
    needLevel(fence, context);
    // The system allows a quarter of the stack's limit.
    const child = await start({ fence, wrapper: ['/usr/bin/prlimit', '--stack=2097152'] });
    const args = Array.from({ length: 7 }, () => 'x'.repeat(MAX_ARGUMENT_BYTES));
    const answer = await child.run({ file: '/bin/true', args });
    expect(answer).toMatchObject({ type: 'refused', code: 'spawn-failed' });
    expect(answer.type === 'refused' && answer.message).toMatch(/E2BIG|too long/);
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ exitCode: 0 });
  });
});

describe.each(LEVELS)('a program that cannot be executed, at %s', (fence) => {
  it('is a failed spawn, with a reason', async () => {
    const child = await start({ fence });
    const folder = mkdtempSync(join(tmpdir(), 'bad-'));
    const bad = join(folder, 'bad');
    writeFileSync(bad, '#!/nonexistent/interpreter\n');
    chmodSync(bad, 0o755);
    const answer = await child.run({ file: bad });
    expect(answer).toMatchObject({ type: 'refused', code: 'spawn-failed' });
    expect(answer.type === 'refused' && answer.message).toMatch(/ENOENT|No such file|not found/);
    rmSync(folder, { recursive: true });
  });
});

describe('ping and bye', () => {
  it('answers a ping at once, also before it is ready and while a program runs', async () => {
    const child = new ChildDriver({ fence: 'portable' });
    children.push(child);
    child.sayHello();
    child.send({ type: 'ping', n: 1 });
    child.request({ file: '/bin/sleep', args: ['0.5'] });
    child.send({ type: 'ping', n: 2 });
    await child.waitFor('pong', ({ n }) => n === 2);
    const types = child.received.map(({ message }) => message.type);
    expect(types.filter((type) => type === 'pong')).toHaveLength(2);
    expect(types).not.toContain('finished');
  });

  it('takes a run that came together with hello', async () => {
    const child = new ChildDriver({ fence: 'portable' });
    children.push(child);
    child.socket.cork();
    child.sayHello();
    const id = child.request({ file: '/bin/cat' }, Buffer.alloc(1000, 'x'));
    child.socket.uncork();
    expect(await child.answer(id)).toMatchObject({ exitCode: 0, totalBytes: { stdout: 1000 } });
  });

  it.each(LEVELS)('bye at %s ends the run, answers it, and exits 0', async (fence) => {
    const child = await start({ fence, limits: { slots: 1, whenFull: 'wait' } });
    const mark = makeMark();
    const id = child.request(runOf('ignores-sigterm.sh', mark));
    const waiting = child.request({ file: '/bin/true' });
    await eventually(() => findSleepers(mark).length > 0, 'the program ignores SIGTERM');
    child.send({ type: 'bye', graceMs: 100 });
    expect(await child.answer(waiting)).toMatchObject({ type: 'refused', code: 'shutting-down' });
    expect(await child.answer(id)).toMatchObject({ type: 'finished', cancelled: true, signal: 'SIGKILL' });
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(findTraces(mark)).toEqual([]);
  });

  it('takes no run after bye', async () => {
    const child = await start();
    child.request(runOf('ignores-sigterm.sh', makeMark()));
    child.send({ type: 'bye', graceMs: 300 });
    const late = child.request({ file: '/bin/true' });
    expect(await child.answer(late)).toMatchObject({ code: 'shutting-down' });
  });
});
