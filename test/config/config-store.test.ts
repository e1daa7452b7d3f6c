import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigStore } from '../../src/config/config-store.js';
import { runProgram } from '../helpers/command-line.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'config-store-'));
  file = path.join(folder, 'deep', 'config.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe('the config file', () => {
  it('may be missing, and is made by the first change', async () => {
    const store = new ConfigStore(file);
    expect(await store.read()).toMatchObject({ config: { sources: [] }, problems: [] });
    await store.edit((raw) => {
      raw.timeoutMs = 7;
    });
    expect((await store.read()).config.timeoutMs).toBe(7);
  });

  it('is read again whenever it has changed, by whomever', async () => {
    const store = new ConfigStore(file);
    for (const timeoutMs of [1, 2, 3]) {
      write(JSON.stringify({ timeoutMs }));
      expect((await store.read()).config.timeoutMs).toBe(timeoutMs);
    }
  });

  it('keeps its last whole version in force while it is broken, and refuses to be changed', async () => {
    const store = new ConfigStore(file);
    write('{"timeoutMs": 5}');
    await store.read();
    write('{"timeoutMs": ');
    expect(await store.read()).toMatchObject({
      config: { timeoutMs: 5 },
      fault: expect.stringContaining('not JSON'),
    });
    await expect(store.edit(() => undefined)).rejects.toThrow('is broken');
    expect(readFileSync(file, 'utf8')).toBe('{"timeoutMs": ');
    write('{"timeoutMs": 6}');
    const mended = await store.read();
    expect(mended).toMatchObject({ config: { timeoutMs: 6 } });
    expect(mended.fault).toBeUndefined();
  });

  it('keeps unknown keys, its indentation, its mode and its link when it is changed', async () => {
    write('{\n    "mine": {"a": [1]},\n    "timeoutMs": 5\n}');
    const link = path.join(folder, 'link.json');
    symlinkSync(file, link);
    const mode = statSync(file).mode;
    await new ConfigStore(link).edit((raw) => {
      raw.timeoutMs = 6;
    });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode).toBe(mode);
    expect(readFileSync(file, 'utf8')).toContain('\n    "mine"');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mine: { a: [1] }, timeoutMs: 6 });
  });

  it('loses no change of several processes at once [sources.config]', async () => {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      SKILLS_MCP_CONFIG: file,
      SKILLS_MCP_CACHE: folder,
    };
    const ids = Array.from({ length: 6 }, (_, index) => `source-${index}`);
    const store = new ConfigStore(file);
    const ours = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const ended = await Promise.all([
      ...ids.map((id) =>
        runProgram(['sources', 'add', JSON.stringify({ kind: 'local', id, path: folder })], env),
      ),
      ...ours.map((key) =>
        store.edit((raw) => {
          raw[key] = true;
        }),
      ),
    ]);
    expect(ended.slice(0, ids.length)).toEqual(ids.map(() => expect.objectContaining({ code: 0, err: '' })));
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written.sources.map(({ id }: { id: string }) => id).sort()).toEqual(ids);
    expect(Object.keys(written).filter((key) => key.startsWith('key-'))).toHaveLength(ours.length);
  }, 60_000);
});
