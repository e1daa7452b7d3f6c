import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { scrubEnviron } from '../../src/config/scrub-environ.js';

const program = path.join(mkdtempSync(path.join(tmpdir(), 'skill-mcp-scrub-')), 'program.mjs');

/** A process of its own: it scrubs itself, prints the outcome and what it still has, and waits to be looked at. */
beforeAll(async () => {
  await build({
    stdin: {
      contents: `
        import { scrubEnviron } from './src/config/scrub-environ.js';
        process.title = process.argv[2] ?? process.title;
        const outcome = scrubEnviron(process.env, process.platform);
        console.log(JSON.stringify({ outcome, secret: process.env.SECRET, path: process.env.PATH, empty: process.env.EMPTY }));
        process.stdin.resume();`,
      resolveDir: path.resolve(import.meta.dirname, '../..'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
  });
});

describe.runIf(process.platform === 'linux')('scrubEnviron [fence.environ]', () => {
  it('leaves nothing in /proc/PID/environ and everything in the process itself', async () => {
    const env = { SECRET: 'value-of-a-secret', PATH: '/usr/bin:/bin', EMPTY: '', ODD: 'a=b=c é' };
    const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const [line] = await once(child.stdout, 'data');
      expect(JSON.parse(String(line))).toEqual({
        outcome: { state: 'scrubbed' },
        secret: 'value-of-a-secret',
        path: '/usr/bin:/bin',
        empty: '',
      });
      const block = readFileSync(`/proc/${child.pid}/environ`);
      expect(block.byteLength).toBeGreaterThan(0);
      expect(block.every((byte) => byte === 0)).toBe(true);
    } finally {
      child.stdin.end();
      await once(child, 'exit');
    }
  });

  it('finds the block behind a name with blanks and parentheses', async () => {
    const child = spawn(process.execPath, [program, 'a) (b 1 2'], {
      env: { SECRET: 'value' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(child.stdout, 'data');
      expect(JSON.parse(String(line))).toMatchObject({ outcome: { state: 'scrubbed' }, secret: 'value' });
    } finally {
      child.stdin.end();
      await once(child, 'exit');
    }
  });
});

describe('scrubEnviron elsewhere', () => {
  it('says that it is not supported and touches nothing', () => {
    const variables = { SECRET: 'value' };
    expect(scrubEnviron(variables, 'darwin')).toEqual({ state: 'unsupported' });
    expect(variables).toEqual({ SECRET: 'value' });
  });
});
