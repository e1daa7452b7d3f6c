import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashBlob, hashFiles, type TreeName } from '../../src/registry/git-hash.js';
import { git, gitLine } from '../helpers/fake-github/git.js';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'git-hash-'));
  await git(directory, ['init', '-q', '--bare']);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Names that sort differently as files and as folders, and names that are not ASCII. */
const name = fc.constantFrom(
  'a',
  'a.b',
  'a-b',
  'a0',
  'A',
  'b',
  'é',
  'e\u0301',
  'ａ',
  '𝒳',
  'a b',
  '~',
  '#1',
  '%41',
);
const files = fc
  .array(
    fc.record({
      path: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      mode: fc.constantFrom('100644', '100755'),
      text: fc.string({ unit: 'binary', maxLength: 20 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) =>
    rows.filter(
      ({ path: own }, index) =>
        !rows.some(
          ({ path: other }, at) =>
            (at < index && other === own) || other.startsWith(`${own}/`) || own.startsWith(`${other}/`),
        ),
    ),
  );

describe('hashes of our own', () => {
  it('know the blob that everybody knows', () => {
    expect(hashBlob(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  });

  it('are those of git hash-object and git write-tree', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(files, async (rows) => {
        fc.pre(rows.length > 0);
        seen += 1;
        const index = path.join(directory, `index-${seen}`);
        const names: TreeName[] = [];
        for (const { path: file, mode, text } of rows) {
          const bytes = Buffer.from(text);
          const sha = await gitLine(directory, ['hash-object', '-w', '--stdin'], bytes);
          expect(hashBlob(bytes)).toBe(sha);
          names.push({ path: file, mode, sha });
        }
        const input = names.map(({ path: file, mode, sha }) => `${mode} ${sha}\t${file}\0`).join('');
        await git(directory, ['update-index', '-z', '--index-info'], input, { GIT_INDEX_FILE: index });
        const tree = await gitLine(directory, ['write-tree'], undefined, { GIT_INDEX_FILE: index });
        expect(hashFiles(names)).toBe(tree);
      }),
      { numRuns: 60 },
    );
    expect(seen).toBeGreaterThan(50);
  });
});
