import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandSpec } from '../../src/config/source-spec.js';
import { ToolRunner } from '../../src/process/tool-command.js';
import { CachedSource } from '../../src/source/cached-source.js';
import { SourceSyncer } from '../../src/source/sync.js';
import { skillText } from '../helpers/git-remote.js';

const ENTRY = path.join(import.meta.dirname, '../../dist/supervisor-child.js');

let runner: ToolRunner;
let folder: string;
beforeAll(() => {
  runner = new ToolRunner({ env: process.env, entry: ENTRY });
});
afterAll(() => runner.close());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'command-source-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that does what the script says when it is asked to list or to get. */
function program(script: string): string {
  const file = path.join(folder, 'tool');
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

const GET = `get) printf -- '---\\nname: %s\\ndescription: d\\n---\\nbody\\n' "$2" ;;`;
const listing = (json: string) => program(`case "$1" in list) printf '%s' '${json}' ;; ${GET} esac`);

function sync(file: string, more: object = {}, timeoutMs = 20_000) {
  const spec = CommandSpec.parse({
    kind: 'cli',
    id: 'tool',
    list: [file, 'list'],
    get: [file, 'get'],
    ...more,
  });
  const syncer = new SourceSyncer({
    cache: folder,
    runner: () => runner,
    variables: new Map([
      ['PATH', '/usr/bin:/bin'],
      ['API_KEY', 'secret-value'],
      ['LANG', 'C'],
    ]),
    home: folder,
    timeoutMs,
    now: Date.now,
  });
  return syncer.sync(spec);
}

async function served() {
  const spec = CommandSpec.parse({ kind: 'cli', id: 'tool', list: ['x'], get: ['x'] });
  const { skills } = await new CachedSource(spec, { cache: folder, home: folder, strictYaml: false }).read();
  return skills.map(({ name }) => name);
}

describe('a command source', () => {
  it('takes names as strings or objects, wherever they lie', async () => {
    expect(await sync(listing('["a", {"name": "b"}]'))).toMatchObject({ ok: true, skills: 2 });
    expect(await served()).toEqual(['a', 'b']);
    const nested = listing('{"data": {"skills": [{"name": "c"}]}}');
    expect(await sync(nested, { namesPath: 'data.skills' })).toMatchObject({
      ok: true,
      vanished: ['a', 'b'],
    });
    expect(await served()).toEqual(['c']);
  });

  it('takes the text from where contentPath says', async () => {
    const text = JSON.stringify({ data: { content: skillText('a') } }).replace(/\\n/g, '\\\\n');
    const file = program(`case "$1" in list) echo '["a"]' ;; get) printf '${text}' ;; esac`);
    expect(await sync(file, { contentPath: 'data.content' })).toMatchObject({ ok: true, skills: 1 });
    expect(await served()).toEqual(['a']);
    expect((await sync(file, { contentPath: 'data.constructor' })).error).toContain(
      'data.constructor is not a text',
    );
  });

  it('leaves out names that could leave the folder or be an option', async () => {
    const outcome = await sync(listing('["../x", "-rf", "a/b", ".git", "", 7, "ok", "x y"]'));
    expect(outcome).toMatchObject({ ok: true, skills: 1 });
    expect(outcome.warnings).toHaveLength(7);
    expect(await served()).toEqual(['ok']);
  });

  it('loses one skill alone when one cannot be had', async () => {
    const file = program(
      `case "$1 $2" in "list ") echo '["a","bad"]' ;; "get bad") echo no >&2; exit 3 ;; *) ${GET.slice(4, -2)} ;; esac`,
    );
    const outcome = await sync(file);
    expect(outcome).toMatchObject({ ok: true, skills: 1, warnings: ['bad: ended with code 3: no'] });
  });

  it.each([
    [
      'prints an update notice first',
      `echo 'Update available: 2.0'; echo '["a"]'`,
      /printed no JSON but "Update available/,
    ],
    ['prints colours', `printf '\\033[32mfine\\033[0m'`, /printed no JSON but/],
    ['prints nothing', 'true', /printed nothing/],
    ['prints another shape', `echo '{"skills": []}'`, /not an array of names/],
    [
      'fails',
      'printf "\\033[31mbroken\\033[0m token ghp_abcdefghijkl123" >&2; exit 9',
      /^ended with code 9: broken token \(removed\)$/,
    ],
    ['floods', 'head -c 6000000 /dev/zero | tr "\\0" x', /printed more than/],
    ['hangs', 'exec sleep 30', /did not end within/],
  ])('that %s costs one line and keeps what was there', async (_, script, words) => {
    await sync(listing('["a"]'));
    const outcome = await sync(program(script), {}, 1_500);
    expect(outcome).toMatchObject({ ok: false, status: 'cached', error: expect.stringMatching(words) });
    expect(outcome.error?.split('\n')).toHaveLength(1);
    expect(await served()).toEqual(['a']);
  });

  it('is refused where there is no such program', async () => {
    expect((await sync('no-such-program')).error).toContain('is no program on PATH');
  });

  it('sees none of our keys [sources.secrets]', async () => {
    const log = path.join(folder, 'env.log');
    await sync(program(`env > ${log}; echo '[]'`));
    const { readFileSync } = await import('node:fs');
    const seen = readFileSync(log, 'utf8');
    expect(seen).toMatch(/^HOME=/m);
    expect(seen).not.toMatch(/secret-value|API_KEY/);
  });

  it('may list nothing', async () => {
    mkdirSync(path.join(folder, 'x'));
    expect(await sync(listing('[]'))).toMatchObject({ ok: true, skills: 0 });
  });
});
