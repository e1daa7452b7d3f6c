import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FindView } from '../../../src/catalog/find-catalog.js';
import { makeLoad } from '../../../src/mcp/tools/load.js';
import { makeRead } from '../../../src/mcp/tools/read.js';
import { CALL, scanView } from '../../helpers/find-view.js';
import { makeDirectory, writeSkill } from '../../helpers/skills.js';

const root = makeDirectory();
const KIB = 1024;
let view: FindView;

beforeAll(async () => {
  writeSkill(root, 'pdf-forms', {
    description: 'Fill in <b>PDF</b> forms.',
    body: 'First.\n---\n<system>verbatim\u202e</system>\n',
    files: {
      'references/fields.md': '# Fields\n',
      'assets/logo.png': Buffer.from([0x89, 0x50, 0, 1]),
      'big.txt': 'a'.repeat(256 * KIB + 1),
      'full.txt': 'é'.repeat(128 * KIB),
      'gone.txt': 'soon',
      '.env': 'SECRET=1',
      'a b#c.txt': 'odd name',
    },
  });
  symlinkSync('/etc/hostname', path.join(root, 'pdf-forms', 'link.txt'));
  writeSkill(root, 'crowded', {
    files: Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [`d/f${String(n).padStart(3, '0')}.txt`, `${n}`]),
    ),
  });
  view = await scanView([root]);
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const load = (args: unknown): Promise<any> => makeLoad({ view: async () => view }).call(args, CALL);
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const read = (args: unknown): Promise<any> => makeRead({ view: async () => view }).call(args, CALL);

describe('load', () => {
  it('gives the body word for word, the files beside it and the directory', async () => {
    expect(await load({ id: 'pdf-forms' })).toEqual({
      id: 'pdf-forms',
      name: 'pdf-forms',
      description: 'Fill in PDF forms.',
      body: 'First.\n---\n<system>verbatim\u202e</system>\n',
      resources: ['a b#c.txt', 'assets/logo.png', 'big.txt', 'full.txt', 'gone.txt', 'references/fields.md'],
      base: path.join(root, 'pdf-forms'),
    });
  });

  it('lists at most 512 files and says how many there are', async () => {
    const answer = await load({ id: 'crowded' });
    expect(answer.resources).toHaveLength(512);
    expect(answer.resourcesNote).toBe('file-limit: the first 512 of 600 files');
    await expect(read({ id: 'crowded', path: 'd/f599.txt' })).rejects.toMatchObject({ code: 'missing' });
    expect(await read({ id: 'crowded', path: 'd/f511.txt' })).toMatchObject({ text: '511' });
  });

  it('names near ids for one that is not there', async () => {
    await expect(load({ id: 'pdf-form' })).rejects.toMatchObject({
      message: 'there is no skill named "pdf-form"',
      hint: expect.stringContaining('pdf-forms'),
    });
    await expect(load({ id: 'zzzzzzzz' })).rejects.toMatchObject({ hint: expect.stringContaining('find') });
    await expect(load({ id: '../pdf-forms' })).rejects.toThrow('there is no skill');
    await expect(load({})).rejects.toThrow('id: is required');
  });

  it('says when a skill is gone since the scan', async () => {
    const folder = makeDirectory();
    const directory = writeSkill(folder, 'short-lived');
    const old = await scanView([folder]);
    rmSync(directory, { recursive: true });
    await expect(makeLoad({ view: async () => old }).call({ id: 'short-lived' }, CALL)).rejects.toThrow(
      'gone since',
    );
  });
});

describe('read', () => {
  it('gives the text of a listed file and of SKILL.md', async () => {
    expect(await read({ id: 'pdf-forms', path: 'references/fields.md' })).toEqual({
      id: 'pdf-forms',
      path: 'references/fields.md',
      text: '# Fields\n',
    });
    expect((await read({ id: 'pdf-forms', path: 'SKILL.md' })).text).toMatch(/^---\nname: pdf-forms\n/);
    expect((await read({ id: 'pdf-forms', path: 'a b#c.txt' })).text).toBe('odd name');
    expect((await read({ id: 'pdf-forms', path: 'full.txt' })).text).toHaveLength(128 * KIB);
  });

  it.each([
    'nothing.md',
    '../crowded/SKILL.md',
    '/etc/passwd',
    'references/../SKILL.md',
    './SKILL.md',
    '.env',
    'link.txt',
    'references',
    'skill.md',
    '',
    'a\0b',
    'x'.repeat(100_000),
  ])('calls %j missing', async (name) => {
    const refusal = await read({ id: 'pdf-forms', path: name }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'missing' });
    expect(String(refusal).length).toBeLessThan(1_000);
  });

  it('calls a file over 256 KiB too-large and one that is no text binary', async () => {
    await expect(read({ id: 'pdf-forms', path: 'big.txt' })).rejects.toMatchObject({ code: 'too-large' });
    await expect(read({ id: 'pdf-forms', path: 'assets/logo.png' })).rejects.toMatchObject({
      code: 'binary',
    });
  });

  it('names a path that may have been meant', async () => {
    await expect(read({ id: 'pdf-forms', path: 'Fields.md' })).rejects.toMatchObject({
      hint: 'did you mean references/fields.md?',
    });
  });

  it('calls a file missing that is gone since the scan or leads elsewhere now', async () => {
    const file = path.join(root, 'pdf-forms', 'gone.txt');
    rmSync(file);
    await expect(read({ id: 'pdf-forms', path: 'gone.txt' })).rejects.toMatchObject({ code: 'missing' });
    symlinkSync('/etc/passwd', file);
    await expect(read({ id: 'pdf-forms', path: 'gone.txt' })).rejects.toMatchObject({ code: 'missing' });
    rmSync(file);
    mkdirSync(file);
    writeFileSync(path.join(file, 'x'), '');
    await expect(read({ id: 'pdf-forms', path: 'gone.txt' })).rejects.toMatchObject({ code: 'missing' });
  });
});
