import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveScript } from '../../src/skill/resolve-script.js';
import { makeTree } from '../helpers/skill-tree.js';

it('pins the real file, its identity and its bytes', async () => {
  const bytes = Buffer.alloc(300_000, 'script ');
  const directory = makeTree({ 'lib/real.js': bytes, 'run.js': { link: 'lib/real.js' }, 'empty.js': '' });
  const bundle = { name: 'x', directory, files: [] };
  const { dev, ino } = statSync(join(directory, 'lib/real.js'), { bigint: true });
  const expected = {
    realPath: join(directory, 'lib/real.js'),
    root: directory,
    dev: `${dev}`,
    ino: `${ino}`,
    size: 300_000,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  expect(await resolveScript(bundle, 'run.js')).toEqual(expected);
  expect(await resolveScript(bundle, 'lib/real.js')).toEqual(expected);
  expect(await resolveScript(bundle, 'empty.js')).toMatchObject({
    sha256: createHash('sha256').digest('hex'),
    size: 0,
  });
});

it.each([
  ['../x.js', /refused: it has a \. or \.\. segment/],
  ['lib', /not a regular file \(directory\)/],
  ['gone.js', /not found/],
  ['out.js', /resolves outside/],
])('refuses %s in its own words', async (script, message) => {
  const directory = makeTree({ 'lib/a.js': '', 'out.js': { link: '/bin/sh' } });
  await expect(resolveScript({ name: 'x', directory, files: [] }, script)).rejects.toThrow(message);
});
