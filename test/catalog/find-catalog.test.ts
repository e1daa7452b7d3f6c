import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CatalogService } from '../../src/catalog/catalog-service.js';
import { FindCatalog } from '../../src/catalog/find-catalog.js';
import { ConfigStore } from '../../src/config/config-store.js';
import { skillText } from '../helpers/git-remote.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'find-catalog-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (relative: string) => path.join(folder, relative);

function put(relative: string, body = 'body'): void {
  mkdirSync(at(relative), { recursive: true });
  writeFileSync(path.join(at(relative), 'SKILL.md'), skillText(path.basename(relative), body));
}

function configure(...sources: readonly object[]): void {
  writeFileSync(at('config.json'), JSON.stringify({ sources }));
}

const local = (id: string) => ({ kind: 'local', id, path: at(id) });

function open(roots: readonly string[] = []): FindCatalog {
  const service = new CatalogService({ roots: roots.map(at), strictYaml: false, depth: 1, maxSkills: 100 });
  return new FindCatalog({
    roots: roots.length === 0 ? undefined : () => service.ready(),
    store: new ConfigStore(at('config.json')),
    cache: at('cache'),
    home: folder,
    strictYaml: false,
  });
}

describe('the catalog of roots and sources', () => {
  it('gives a name to the first that has it: roots, then the sources in their order [sources.order]', async () => {
    for (const place of ['root/a', 'one/a', 'one/b', 'two/b', 'two/c']) put(place);
    configure(local('two'), local('one'));
    const { catalog, problems } = await open(['root']).read();
    expect(catalog.ordered.map(({ name, source }) => [name, source])).toEqual([
      ['a', at('root')],
      ['b', 'two'],
      ['c', 'two'],
    ]);
    expect(problems.map(({ path: place, reason }) => [reason, place])).toEqual([
      ['shadowed', at('one/a')],
      ['shadowed', at('one/b')],
    ]);
    expect(catalog.find('b')?.directory).toBe(at('two/b'));
  });

  it('serves nobody under a name that two roots dispute, sources included', async () => {
    for (const place of ['root1/a', 'root2/a', 'one/a', 'one/b']) put(place);
    configure(local('one'));
    const { catalog } = await open(['root1', 'root2']).read();
    expect(catalog.skills.map(({ name }) => name)).toEqual(['b']);
    expect(catalog.problems.map(({ reason }) => reason).sort()).toEqual(['duplicate-name', 'shadowed']);
  });

  it('takes a changed config and a changed skill at the next call, and is the same object while nothing changes', async () => {
    put('one/a');
    const live = open();
    expect((await live.read()).catalog.skills).toEqual([]);
    configure(local('one'));
    const first = await live.read();
    expect(first.catalog.skills.map(({ name }) => name)).toEqual(['a']);
    expect((await live.read()).catalog).toBe(first.catalog);
    put('one/b');
    expect((await live.read()).catalog.skills.map(({ name }) => name)).toEqual(['a', 'b']);
    writeFileSync(path.join(at('one/a'), 'SKILL.md'), skillText('other'));
    expect((await live.read()).catalog.find('a')?.description).toBe('How to other.');
    rmSync(at('one/b'), { recursive: true });
    expect((await live.read()).catalog.skills.map(({ name }) => name)).toEqual(['a']);
  });

  it('stays as it was while the config is broken, and says so', async () => {
    put('one/a');
    configure(local('one'));
    const live = open();
    await live.read();
    writeFileSync(at('config.json'), '{');
    const broken = await live.read();
    expect(broken.catalog.skills.map(({ name }) => name)).toEqual(['a']);
    expect(broken.fault).toMatch(/config.json is broken: not JSON/);
    expect(broken.configFault).toBe(broken.fault);
    expect(await open().read()).toMatchObject({ catalog: { skills: [] }, fault: expect.any(String) });
    configure(local('one'));
    expect((await live.read()).fault).toBeUndefined();
  });

  it('names sources that are not there or were never synced, and serves the others', async () => {
    put('one/a');
    configure(local('gone'), { kind: 'github', id: 'team', repo: 'owner/name' }, local('one'));
    const { catalog, fault, configFault } = await open().read();
    expect(catalog.skills.map(({ name }) => name)).toEqual(['a']);
    expect(fault).toMatch(/source gone: .*does not exist; the source team has not been synced yet/);
    expect(configFault).toBeUndefined();
  });
});
