import { randomUUID } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ChildDriver, type DriverOptions } from '../../helpers/child-driver.js';
import { LEVELS } from '../../helpers/namespaces.js';
import { runOf, SCRIPT_ENV } from '../../helpers/scripts.js';

let child: ChildDriver | undefined;
afterEach(() => child?.dispose());

async function start(options: DriverOptions): Promise<ChildDriver> {
  child = new ChildDriver(options);
  await child.ready();
  return child;
}

describe.each(LEVELS)('what a program gets at %s', (fence) => {
  it('is exactly its variables and the mark [run.environment]', async () => {
    const driver = await start({ fence });
    const runId = `run-${randomUUID()}`;
    const env = { PATH: '/bin', EMPTY: '', QUOTED: `a'b"c $d \\ \n end`, UTF8: 'grüße €', TERM: 'x' };
    const answer = await driver.run({ file: '/usr/bin/env', args: ['-0'], env, runId });
    const seen = String(answer.stdout).split('\0').slice(0, -1).sort();
    const wanted = Object.entries({ ...env, SKILL_MCP_RUN_ID: runId }).map(
      ([name, value]) => `${name}=${value}`,
    );
    expect(seen).toEqual(wanted.sort());
    expect(answer).toMatchObject({ env: [...Object.keys(env), 'SKILL_MCP_RUN_ID'].sort() });
  });

  it('is the mark alone when it gets no variable', async () => {
    const answer = await (await start({ fence })).run({ file: '/usr/bin/env' });
    expect(String(answer.stdout)).toMatch(/^SKILL_MCP_RUN_ID=run-\S+\n$/);
  });

  it('never leaves a value in any argument of the wrapper', async () => {
    const driver = await start({ fence });
    const secret = `secret-${randomUUID()}`;
    const id = driver.request({ file: '/bin/sleep', args: ['0.3'], env: { TOKEN: secret } });
    const { leader, init } = await driver.waitFor('started', () => true);
    for (const pid of [leader.pid, init?.pid ?? leader.pid, driver.pid]) {
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(secret);
    }
    expect(readFileSync(`/proc/${driver.pid}/environ`, 'latin1')).not.toContain(secret);
    await driver.answer(id);
  });

  it('is no descriptor of ours, not even one that leaked to us', async () => {
    const leaked = openSync('/etc/passwd', 'r');
    const nothing = openSync('/dev/null', 'r');
    const leak = Array.from({ length: 9 }, (_, slot) => (slot === 8 ? leaked : nothing));
    const driver = await start({ fence, leak });
    const answer = await driver.run(runOf('descriptors.sh'));
    const targets = [...String(answer.stdout).matchAll(/ (\d+) -> (.*)$/gm)];
    expect(targets.map(([, fd]) => fd)).toContain('2');
    const foreign = targets.filter(
      ([, fd, target]) => Number(fd) > 2 && !/^\/(dev\/null|proc\/.*)$/.test(target ?? ''),
    );
    expect(foreign).toEqual([]);
    expect(answer).toMatchObject({ exitCode: 0 });
  });

  it('is its working directory', async () => {
    const answer = await (await start({ fence })).run({ file: '/bin/pwd', cwd: '/usr/lib' });
    expect(String(answer.stdout)).toBe('/usr/lib\n');
  });
});

describe('what a program sees of others', () => {
  it('could be no more than a few harmless variables of the child, were it to look', async () => {
    const driver = await start({ fence: 'auto' });
    const names = readFileSync(`/proc/${driver.pid}/environ`, 'latin1')
      .split('\0')
      .map((pair) => pair.split('=')[0]);
    const harmless = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', ''];
    expect(names.filter((name) => !harmless.includes(name ?? ''))).toEqual([]);
  });

  it('is nothing of us at namespace: no process, no variable, no signal [fence.namespace]', async () => {
    const driver = await start({ fence: 'namespace' });
    const answer = await driver.run(runOf('looks-around.sh', String(driver.pid)));
    const lines = String(answer.stdout).split('\n');
    const pids = lines.filter((line) => line.startsWith('pid '));
    expect(pids).toContain('pid 1');
    expect(pids.length).toBeLessThanOrEqual(3);
    expect(lines).not.toContain('signalled');
    expect(lines.some((line) => line.startsWith('HOME='))).toBe(false); // one of the supervisor's own
    expect(lines).toContain(`PATH=${SCRIPT_ENV.PATH}`);
  });

  it('holds no capability at namespace', async () => {
    const driver = await start({ fence: 'namespace' });
    const answer = await driver.run({ file: '/bin/cat', args: ['/proc/self/status'] });
    expect(String(answer.stdout)).toMatch(/^CapEff:\s*0+$/m);
    expect(String(answer.stdout)).toMatch(/^CapPrm:\s*0+$/m);
  });

  it('is no variable that a shell would set by itself, at namespace: refused by name', async () => {
    const driver = await start({ fence: 'namespace' });
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_', 'IFS', 'PPID', 'OPTIND']) {
      const answer = await driver.run({ file: '/bin/true', env: { [name]: '1' } });
      expect(answer).toMatchObject({ code: 'invalid' });
    }
  });
});
