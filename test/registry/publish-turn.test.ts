import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Operation } from '../../src/registry/operation.js';
import { PublishTurn } from '../../src/registry/publish-turn.js';

const EDGES = { now: Date.now, random: Math.random };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'turn-'));
  file = path.join(folder, 'deep/.turn');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const operation = (signal = new AbortController().signal) => new Operation(signal);

describe('changes of one registry', () => {
  it('happen one after the other, within a process and between processes', async () => {
    const own = new PublishTurn(file, EDGES);
    const other = new PublishTurn(file, EDGES);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await delay(20);
      running -= 1;
    };
    await Promise.all([own, other, own, other, own].map((turn) => turn.run(operation(), work)));
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('go on after one that failed or was cancelled', async () => {
    const turn = new PublishTurn(file, EDGES);
    await expect(turn.run(operation(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const ending = new AbortController();
    ending.abort();
    await expect(turn.run(operation(ending.signal), async () => 1)).rejects.toThrow('cancelled');
    expect(await turn.run(operation(), async () => 2)).toBe(2);
  });

  it('do not wait for a process that died, nor for a cache that cannot be written', async () => {
    const turn = new PublishTurn(path.join(folder, '.turn'), EDGES);
    writeFileSync(path.join(folder, '.turn'), '1\n');
    const long = Date.now() / 1_000 - 60;
    utimesSync(path.join(folder, '.turn'), long, long);
    const began = performance.now();
    expect(await turn.run(operation(), async () => 1)).toBe(1);
    expect(await new PublishTurn('/dev/null/.turn', EDGES).run(operation(), async () => 2)).toBe(2);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
