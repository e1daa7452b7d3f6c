import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigStore } from '../../../src/config/config-store.js';
import { makeSources } from '../../../src/mcp/tools/sources.js';
import { ToolRunner } from '../../../src/process/tool-command.js';
import { SourceSyncer } from '../../../src/source/sync.js';

const ENTRY = path.join(import.meta.dirname, '../../../dist/supervisor-child.js');

let folder: string;
let runner: ToolRunner;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sources-tool-'));
  runner = new ToolRunner({ env: process.env, entry: ENTRY });
});
afterEach(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

it('answers in time with what is done, and lets the rest go on', async () => {
  const slow = path.join(folder, 'slow');
  writeFileSync(slow, '#!/bin/sh\nsleep 2\necho "[]"\n', { mode: 0o755 });
  mkdirSync(path.join(folder, 'local'));
  const sources = [
    { kind: 'cli', id: 'slow', list: [slow], get: [slow] },
    { kind: 'local', id: 'quick', path: path.join(folder, 'local') },
  ];
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ sources }));
  const store = new ConfigStore(path.join(folder, 'config.json'));
  const syncer = new SourceSyncer({
    cache: folder,
    runner: () => runner,
    variables: new Map([['PATH', '/usr/bin:/bin']]),
    home: folder,
    timeoutMs: 20_000,
    now: Date.now,
  });
  const view = () => Promise.reject(new Error('not needed'));
  const tool = makeSources({ view, store, syncer, mayChange: true, answerMs: 300 });
  const told: unknown[] = [];
  const call = { signal: new AbortController().signal, progress: (step: unknown) => void told.push(step) };
  expect(await tool.call({ action: 'sync' }, call)).toEqual({
    outcomes: [
      { id: 'slow', ok: false, status: 'still syncing' },
      { id: 'quick', ok: true, status: 'synced', skills: 0 },
    ],
  });
  expect(told).toEqual([
    { progress: 1, total: 2, message: 'quick' },
    { progress: 2, total: 2, message: 'slow' },
  ]);
  const patient = makeSources({ view, store, syncer, mayChange: true });
  expect(await patient.call({ action: 'sync', id: 'slow' }, call)).toMatchObject({
    outcomes: [{ id: 'slow', ok: true, skills: 0 }],
  });
});
