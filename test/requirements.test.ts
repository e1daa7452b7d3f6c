import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { citedIds } from './helpers/cited-ids.js';
import { REQUIREMENTS, type Requirement } from './requirements.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const ids = Object.keys(REQUIREMENTS);

const citations = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== 'requirements.test.ts')
  .flatMap((file) => citedIds(readFileSync(path.join(here, file), 'utf8')).map((id) => ({ id, file })));

describe('the promises of the README', () => {
  it('are each proved by a test', () => {
    const cited = new Set(citations.map(({ id }) => id));
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });

  it('are the only ones that tests claim to prove', () => {
    const unknown = citations.filter(({ id }) => !ids.includes(id));
    expect(unknown).toEqual([]);
  });

  it('stand under the headings that are named', () => {
    const readme = readFileSync(path.join(here, '../README.md'), 'utf8');
    const headings = new Set([...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
    const astray = Object.entries<Requirement>(REQUIREMENTS).filter(([, { where }]) => !headings.has(where));
    expect(astray).toEqual([]);
  });
});

describe('citations', () => {
  it('are read from the titles of tests and groups', () => {
    expect(citedIds("it('ends it [run.timeout]', () => {});")).toEqual(['run.timeout']);
    expect(citedIds('describe("two [run.cancel, run.lost]", () => {});')).toEqual(['run.cancel', 'run.lost']);
    expect(citedIds('it.each(levels)(`at %s [fence.level]`, () => {});')).toEqual(['fence.level']);
    expect(citedIds("it.skipIf(!root)(\n  'a long title [fence.portable]',\n  () => {});")).toEqual([
      'fence.portable',
    ]);
  });

  it('are read behind tables of any length', () => {
    const table =
      "describe.each<[string, () => void]>([\n  ['a) b', () => run(')')],\n])('%s [fence.level]', () => {});";
    expect(citedIds(table)).toEqual(['fence.level']);
  });

  it('are not read from tests that never run, nor from comments and other texts', () => {
    expect(citedIds("it.skip('ends it [run.timeout]', () => {});")).toEqual([]);
    expect(citedIds("it.todo('ends it [run.timeout]');")).toEqual([]);
    expect(citedIds("// it('ends it [run.timeout]')")).toEqual([]);
    expect(citedIds("const text = 'see [run.timeout]';")).toEqual([]);
  });
});
