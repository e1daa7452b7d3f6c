import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const demo = fileURLToPath(new URL('../../examples/demo.mjs', import.meta.url));
const overstay = fileURLToPath(new URL('../../skills/skill-mcp-demo/scripts/overstay.js', import.meta.url));

function runDemo(variables: Record<string, string> = {}) {
  return spawnSync(process.execPath, [demo], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH ?? '', ...variables },
  });
}

/** Command lines of living processes that run the demo's stubborn script. */
function findOverstayers(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((commandLine) => commandLine.includes(overstay));
}

describe('the demo [package.demo]', () => {
  it('walks through every step, in plain text when there is no terminal, and leaves nothing running', () => {
    const { stdout, stderr, status } = runDemo();
    expect(stderr).toBe('');
    expect(stdout).toContain('Everything works here.');
    expect(stdout).not.toContain('\u001B');
    expect(stdout.match(/^\d+\. /gm)).toHaveLength(10);
    expect(status).toBe(0);
    if (process.platform === 'linux') expect(findOverstayers()).toEqual([]);
  }, 70_000);

  it('ends with exit code 1 and one clear sentence when a step fails', () => {
    const { stderr, status } = runDemo({ SKILL_MCP_FENCE: 'no-such-level' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\nThe demo failed\. \S/);
  }, 70_000);
});
