import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeExampleRoot } from '../helpers/example-root.js';
import { namespacesWork, sandboxesWork } from '../helpers/namespaces.js';

const server = fileURLToPath(new URL('../../dist/skill-mcp.js', import.meta.url));
const root = makeExampleRoot();

function runDoctor(args: string[], variables: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, SKILLS_DIR: root, ...variables };
  return spawnSync(process.execPath, [server, 'doctor', ...args], { encoding: 'utf8', env, timeout: 60_000 });
}

describe('the doctor [fence.doctor]', () => {
  it('tells as JSON what this machine gives', () => {
    const { stdout, stderr, status } = runDoctor(['--json']);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({
      node: { version: process.version, path: process.execPath },
      platform: process.platform,
      fence: { level: namespacesWork ? 'namespace' : 'portable' },
      interpreters: [{ name: 'node', path: process.execPath }],
      roots: { from: 'SKILLS_DIR', paths: [root] },
      grant: { from: 'declaration' },
      hosted: false,
      environment: { state: process.platform === 'linux' ? 'scrubbed' : 'unsupported' },
    });
    expect(found.skills.served).toBeGreaterThan(1);
    expect(found.supervisor.startMs).toBeGreaterThan(0);
    expect(
      found.levels.map(({ level, available }: { level: string; available: boolean }) => [level, available]),
    ).toEqual([
      ['sandbox', sandboxesWork],
      ['namespace', namespacesWork],
      ['portable', true],
    ]);
    expect(found.refusal).toBeUndefined();
  });

  it('says why a level is missing, and that nothing can run below the least one', () => {
    const { stdout, status } = runDoctor(['--json'], {
      PATH: '/nonexistent',
      SKILL_MCP_FENCE: 'portable',
      SKILL_MCP_MIN_FENCE: 'namespace',
    });
    expect(status).toBe(1);
    expect(JSON.parse(stdout).refusal).toMatch(/at least the namespace level/);
  });

  it.each([
    ['SKILL_MCP_LIMITS', 'data=lots', /SKILL_MCP_LIMITS/],
    ['SKILL_MCP_LIMITS', 'data=1M', /node cannot start/],
    ['SKILL_MCP_CGROUP', '/tmp', /control group/],
    ['MCP_SKILL_RUN', 'nonsense', /not valid JSON/],
    ['MCP_DATA_DIR', '/tmp', /started by a host/],
  ])('exits with 1 when %s=%s keeps every script from running', (name, value, reason) => {
    const { stdout, status } = runDoctor([], { [name]: value });
    expect(status).toBe(1);
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^scripts +cannot run: /);
    expect(stdout.trim().split('\n').at(-1)).toMatch(reason);
  });

  it('prints one finding a line for a person, and no value of a variable', () => {
    const { stdout, status } = runDoctor([], { SECRET: 'not-for-doctors' });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^level portable +available; .+$/m);
    expect(stdout).toMatch(/^scripts +can run$/m);
    expect(stdout).not.toContain('not-for-doctors');
  });

  it('does not understand other flags', () => {
    expect(runDoctor(['--verbose'])).toMatchObject({ status: 2, stdout: '' });
  });
});
