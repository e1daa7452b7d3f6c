import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ChildDriver, type DriverOptions } from '../../../helpers/child-driver.js';
import { needLevel } from '../../../helpers/namespace-here.js';
import { sandboxesWork } from '../../../helpers/namespaces.js';
import { eventually, findTraces, makeMark } from '../../../helpers/process-traces.js';
import { runOf } from '../../../helpers/scripts.js';

let child: ChildDriver | undefined;
let folder: string | undefined;
afterEach(async () => {
  await child?.dispose();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

async function start(options: DriverOptions) {
  child = new ChildDriver(options);
  return { child, fence: (await child.ready()).fence };
}

/** A host on which `unshare` fails: the wrapper puts a fake of it into a mount namespace of the test's own. */
function withUnshare(script: string): readonly string[] {
  return withFake('/usr/bin/unshare', script);
}

function withFake(program: string, script: string): readonly string[] {
  folder = mkdtempSync(join(tmpdir(), 'fake-'));
  const fake = join(folder, 'unshare');
  writeFileSync(fake, script);
  chmodSync(fake, 0o755);
  const mount = `mount --bind ${fake} ${program} && exec "$@"`;
  return ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', mount, 'host'];
}

const isRoot = process.geteuid?.() === 0;

describe('the level in force [fence.level]', () => {
  it('is namespace where this machine gives it', async (context) => {
    needLevel('namespace', context);
    const { fence } = await start({ fence: 'auto' });
    expect(fence).toEqual({ level: 'namespace', network: 'host' });
  });

  it('is portable where it was asked for, without a probe', async () => {
    const { fence } = await start({ fence: 'portable' });
    expect(fence).toEqual({ level: 'portable', network: 'host', reason: 'it was asked for' });
  });

  it('is the same in a result, without a refusal', async () => {
    const { child, fence } = await start({ fence: 'auto' });
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ fence });
  });

  it.runIf(isRoot)('is portable with a reason where the namespace is not to be had', async () => {
    const wrapper = withUnshare(
      '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2; exit 1\n',
    );
    const { child, fence } = await start({ fence: 'auto', wrapper });
    expect(fence).toMatchObject({
      level: 'portable',
      reason:
        'unshare: unshare failed: Operation not permitted (the system or its container does not allow user namespaces)',
    });
    expect(fence.refusal).toBeUndefined();
    expect(await child.run({ file: '/bin/true' })).toMatchObject({
      exitCode: 0,
      fence: { level: 'portable' },
    });
  });

  it.runIf(isRoot)('is portable, in plain words, where the limit of namespaces is reached', async () => {
    const words = 'unshare: unshare failed: No space left on device';
    const wrapper = withUnshare(`#!/bin/sh\necho "${words}" >&2; exit 1\n`);
    const { fence } = await start({ fence: 'auto', wrapper });
    expect(fence).toMatchObject({
      level: 'portable',
      reason: `${words} (user namespaces are switched off or at their limit: user.max_user_namespaces)`,
    });
  });

  it.runIf(isRoot)('is portable where the namespace is a fake', async () => {
    const fake = '#!/bin/sh\nwhile [ "$1" != /bin/sh ]; do shift; done; exec "$@"\n';
    const { fence } = await start({ fence: 'auto', wrapper: withUnshare(fake) });
    expect(fence).toMatchObject({ level: 'portable', reason: 'the process namespace is not its own' });
  });

  it.runIf(isRoot)('is portable after 2 s where the probe hangs', { timeout: 20_000 }, async () => {
    const { fence } = await start({ fence: 'auto', wrapper: withUnshare('#!/bin/sh\nsleep 60\n') });
    expect(fence).toMatchObject({ level: 'portable' });
  });

  it('is portable, with the reason, where the tools are not installed', async () => {
    folder = mkdtempSync(join(tmpdir(), 'few-tools-'));
    // Everything but util-linux: what a slim image might hold.
    for (const tool of ['sh', 'id', 'true']) symlinkSync(`/bin/${tool}`, join(folder, tool));
    const script =
      'shift 0; set -- "$1" "$2" "$(printf %s "$3" | sed "s,^PATH=.*,PATH=$0,")" "$4" "$5" "$6"; exec "$@"';
    const { fence } = await start({ fence: 'auto', wrapper: ['/bin/sh', '-c', script, folder] });
    expect(fence).toMatchObject({ level: 'portable', reason: 'setpriv is not installed' });
  });
});

describe('a demand that is not met refuses every run with the reason [fence.minimum]', () => {
  const cases: Array<[string, DriverOptions, RegExp]> = [
    [
      'at least sandbox, but namespace',
      { fence: 'auto', hello: { minFence: 'sandbox' } },
      /at least the sandbox/,
    ],
    [
      'at least namespace, but portable',
      { fence: 'portable', hello: { minFence: 'namespace' } },
      /at least the namespace level/,
    ],
    [
      'started for another level',
      { fence: 'portable', hello: { fence: 'namespace' } },
      /namespace level was asked for/,
    ],
  ];
  it.each(cases)('%s', async (_, options, message) => {
    const { child, fence } = await start(options);
    expect(fence.refusal).toMatch(message);
    expect(await child.run({ file: '/bin/true' })).toMatchObject({
      type: 'refused',
      code: 'fence-unavailable',
      message: fence.refusal,
    });
  });

  it.runIf(isRoot)('namespace, where it is not to be had', async () => {
    const { child, fence } = await start({
      fence: 'namespace',
      wrapper: withUnshare('#!/bin/sh\necho no >&2; exit 1\n'),
    });
    expect(fence).toMatchObject({ level: 'portable', refusal: expect.stringMatching(/namespace.*: no$/) });
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ code: 'fence-unavailable' });
  });

  it.runIf(isRoot && sandboxesWork)('sandbox, where it is not to be had', async () => {
    const wrapper = withFake('/usr/bin/bwrap', '#!/bin/sh\necho no >&2; exit 1\n');
    const { child, fence } = await start({ fence: 'sandbox', wrapper });
    expect(fence).toMatchObject({ level: 'namespace', reason: 'no' });
    expect(fence.refusal).toMatch(/the sandbox level was asked for, .* runs at namespace: no$/);
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ code: 'fence-unavailable' });
  });

  it('a run that was approved without the network, where it cannot be taken away', async () => {
    const { child } = await start({ fence: 'namespace' });
    expect(await child.run({ file: '/bin/true', network: 'none' })).toMatchObject({
      code: 'fence-unavailable',
    });
  });

  it('a run that was approved for another level', async () => {
    const { child } = await start({ fence: 'namespace' });
    expect(await child.run({ file: '/bin/true', fence: 'portable' })).toMatchObject({
      code: 'fence-unavailable',
    });
    expect(await child.run({ file: '/bin/true', fence: 'namespace' })).toMatchObject({ exitCode: 0 });
  });
});

describe('other hosts', () => {
  it.runIf(isRoot).for(['portable', 'namespace'] as const)(
    'an ordinary user at %s',
    async (fence, context) => {
      needLevel(fence, context);
      const wrapper = ['/usr/bin/setpriv', '--reuid', '1001', '--regid', '1001', '--clear-groups'];
      const { child, fence: report } = await start({ fence, wrapper });
      expect(report).toMatchObject({ level: fence });
      expect(report.refusal).toBeUndefined();
      expect(String((await child.run({ file: '/usr/bin/id', args: ['-u'] })).stdout)).toBe('1001\n');
      for (const name of ['new-session.sh', 'stubborn-pipe-holder.sh', 'slow-bomb.sh']) {
        const mark = makeMark();
        const id = child.request(runOf(name, mark));
        await eventually(() => findTraces(mark).length >= 2, `${name} runs`);
        child.send({ type: 'cancel', id });
        expect(await child.answer(id)).toMatchObject({ cancelled: true });
        expect(findTraces(mark)).toEqual([]);
      }
      const left = makeMark();
      expect(await child.run(runOf('daemon-main-exits.sh', left))).toMatchObject({
        survivors: { killed: 1 },
      });
      expect(findTraces(left)).toEqual([]);
    },
  );

  it('a PATH without ps does no harm', async () => {
    const { child } = await start({ fence: 'portable', path: '/nonexistent' });
    const mark = makeMark();
    const answer = await child.run({ ...runOf('stubborn-pipe-holder.sh', mark), timeoutMs: 300 });
    expect(answer).toMatchObject({ timedOut: true });
    expect(findTraces(mark)).toEqual([]);
    expect(await child.run({ file: '/bin/true' })).toMatchObject({ exitCode: 0 });
  });
});
