import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  identify,
  isAlive,
  isGone,
  listProcesses,
  readProcess,
} from '../../../supervisor/child/process-table.js';

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

describe('the process table', () => {
  it('reads a process whose name holds blanks, parentheses and what looks like fields', async () => {
    folder = mkdtempSync(join(tmpdir(), 'name-'));
    const file = join(folder, 'a) Z 1 (b');
    copyFileSync('/bin/sleep', file);
    const child = spawn(file, ['20'], { detached: true, stdio: 'ignore' });
    await new Promise((resolve) => child.once('spawn', resolve));
    const pid = child.pid ?? 0;
    const entry = readProcess(pid);
    expect(entry).toMatchObject({ pid, group: pid, session: pid });
    expect(entry?.state).toMatch(/^[RSD]$/);
    expect(entry?.startTime).toBeGreaterThan(readProcess(process.pid)?.startTime ?? Number.POSITIVE_INFINITY);
    const identity = identify(pid);
    expect(isAlive(identity)).toBe(true);
    expect(isAlive({ pid, startTime: (identity.startTime ?? 0) + 1 })).toBe(false);
    expect(isAlive({ pid, startTime: null })).toBe(false);
    expect(listProcesses()).toContain(pid);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(isGone(readProcess(pid))).toBe(true);
    expect(isAlive(identity)).toBe(false);
  });

  it('counts a zombie as gone', async () => {
    // The shell becomes a program that never waits for the child which it inherits.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 20'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = Number(
      await new Promise((resolve) => parent.stdout.once('data', (data) => resolve(String(data)))),
    );
    const end = Date.now() + 5000;
    while (readProcess(pid)?.state !== 'Z' && Date.now() < end) await new Promise((r) => setTimeout(r, 10));
    expect(readProcess(pid)?.state).toBe('Z');
    expect(isGone(readProcess(pid))).toBe(true);
    expect(isAlive(identify(pid))).toBe(false);
    parent.kill('SIGKILL');
  });
});
