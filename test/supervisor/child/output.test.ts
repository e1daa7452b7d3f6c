import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChildDriver, TEST_LIMITS } from '../../helpers/child-driver.js';
import { needLevel } from '../../helpers/namespace-here.js';
import { LEVELS } from '../../helpers/namespaces.js';
import { runOf } from '../../helpers/scripts.js';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

describe.each(LEVELS)('output at %s', (fence) => {
  let child: ChildDriver;
  beforeEach((context) => needLevel(fence, context));
  beforeAll(async () => {
    child = new ChildDriver({ fence });
    await child.ready();
  });
  afterAll(() => child.dispose());

  it('counts a gibibyte exactly and keeps the first mebibyte [run.output-cap]', async () => {
    const answer = await child.run({ ...runOf('one-gibibyte.sh'), timeoutMs: 60_000 });
    expect(answer).toMatchObject({
      exitCode: 0,
      totalBytes: { stdout: GIB, stderr: 0 },
      keptBytes: { stdout: MIB, stderr: 0 },
      truncated: { stdout: true, stderr: false },
    });
    expect(answer.stdout.every((byte) => byte === 0)).toBe(true);
  });

  it('passes on bytes as they came, halves of characters included', async () => {
    const answer = await child.run(runOf('half-character.mjs'));
    expect(String(answer.stdout)).toBe('€');
    const { stdout } = await child.run(runOf('escapes.sh'));
    expect(stdout.equals(Buffer.alloc(MIB, 0x1b))).toBe(true);
  });

  it('is not truncated at exactly the cap', async () => {
    const args = ['-c', `head -c ${TEST_LIMITS.streamBytes} /dev/zero >&2`];
    const answer = await child.run({ ...runOf('crashes.sh'), args });
    expect(answer).toMatchObject({
      totalBytes: { stdout: 0, stderr: MIB },
      truncated: { stdout: false, stderr: false },
    });
  });

  it('tells a crash by its signal [run.any-end]', async () => {
    expect(await child.run(runOf('crashes.sh'))).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
  });

  it('tells any exit code below the range of signals', async () => {
    for (const code of [0, 1, 7, 126, 127, 128]) {
      const answer = await child.run({ file: '/bin/sh', args: ['-c', `exit ${code}`] });
      expect(answer).toMatchObject({ type: 'finished', exitCode: code, signal: null });
    }
  });

  it('gives no terminal', async () => {
    expect(String((await child.run(runOf('opens-terminal.sh'))).stdout)).toBe('none\n');
  });

  it('runs on when a program closes its stdout', async () => {
    const answer = await child.run(runOf('closes-stdout.sh'));
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(String(answer.stderr)).toBe('late\n');
  });

  it('brings stdin, all of it, and ends it', async () => {
    const bytes = Buffer.alloc(TEST_LIMITS.stdinBytes, 'x');
    const answer = await child.run({ file: '/bin/cat' }, bytes);
    expect(answer.stdout.equals(bytes)).toBe(true);
  });

  it('does not mind a program that leaves its stdin unread', async () => {
    const bytes = Buffer.alloc(TEST_LIMITS.stdinBytes, 'x');
    expect(await child.run({ file: '/bin/true' }, bytes)).toMatchObject({ exitCode: 0 });
  });

  it('gives an empty stdin when none is brought', async () => {
    const answer = await child.run({ file: '/bin/cat' });
    expect(answer).toMatchObject({ exitCode: 0, totalBytes: { stdout: 0 } });
  });

  it('sends the last line while it runs, at most twice a second', async () => {
    const args = ['-c', 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i; echo; sleep 0.1; done'];
    const answer = await child.run({ ...runOf('crashes.sh'), args, tail: true });
    const tails = child.received.flatMap(({ message }) => (message.type === 'tail' ? [message] : []));
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(tails.length).toBeGreaterThanOrEqual(1);
    expect(tails.length).toBeLessThanOrEqual(4);
    expect(tails.every(({ line }) => /^line \d+$/.test(line))).toBe(true);
  });
});
