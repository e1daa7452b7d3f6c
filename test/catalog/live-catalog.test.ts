import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CatalogService, type ScanSettings } from '../../src/catalog/catalog-service.js';
import { namesOf, problemsOf } from '../helpers/scan.js';
import { addToTree, type Leaf, makeTree, plainSkill, skillMd } from '../helpers/skill-tree.js';

/** A service over a fresh tree that was scanned once. */
async function open(leaves: Readonly<Record<string, Leaf>>, settings: Partial<ScanSettings> = {}) {
  const root = makeTree(leaves);
  const service = new CatalogService({
    roots: [root],
    strictYaml: false,
    depth: 1,
    maxSkills: 10_000,
    ...settings,
  });
  onTestFinished(() => service.close());
  return { root, service, first: await service.ready() };
}

/** Long enough that the file system's clock has ticked and that what was read is believed. */
const settle = () => sleep(150);

describe('the next call shows', () => {
  it('a new, an edited, a removed and a renamed skill', async () => {
    const { root, service, first } = await open({ 'a/SKILL.md': plainSkill('a') });
    expect(namesOf(first)).toEqual(['a']);
    addToTree(root, { 'b/SKILL.md': plainSkill('b'), 'skills/c/SKILL.md': plainSkill('c') });
    expect(namesOf(await service.ready())).toEqual(['a', 'b', 'c']);
    writeFileSync(join(root, 'b/SKILL.md'), skillMd('name: b\ndescription: Edited.'));
    expect((await service.ready()).find('b')?.description).toBe('Edited.');
    renameSync(join(root, 'b'), join(root, 'd'));
    expect(namesOf(await service.ready())).toEqual(['a', 'c', 'd']);
    rmSync(join(root, 'skills'), { recursive: true });
    rmSync(join(root, 'a/SKILL.md'));
    const last = await service.ready();
    expect(namesOf(last)).toEqual(['d']);
    expect(problemsOf(last, 'no-skill-md').map(({ path }) => path)).toEqual([join(root, 'a')]);
  });

  it('an edit that keeps the length and puts the old time back', async () => {
    const { root, service } = await open({ 'a/SKILL.md': skillMd('name: a\ndescription: One.') });
    const file = join(root, 'a/SKILL.md');
    utimesSync(file, 1_000_000, 1_000_000);
    await settle();
    await service.ready();
    const { size, mtimeMs } = statSync(file);
    writeFileSync(file, skillMd('name: a\ndescription: Two.'));
    utimesSync(file, 1_000_000, 1_000_000);
    expect(statSync(file)).toMatchObject({ size, mtimeMs });
    expect((await service.ready()).find('a')?.description).toBe('Two.');
  });

  it('every one of many edits that follow each other within a tick of the clock', async () => {
    const { root, service } = await open({ 'a/SKILL.md': plainSkill('a') });
    for (let n = 100; n < 150; n++) {
      writeFileSync(join(root, 'a/SKILL.md'), skillMd(`name: a\ndescription: Edit ${n}.`));
      expect((await service.ready()).find('a')?.description).toBe(`Edit ${n}.`);
    }
  });

  it('what became of files in a bundle, deep down too', async () => {
    const { root, service, first } = await open({
      'a/SKILL.md': skillMd(
        'description: x\nmcp-host: {version: 1, run: [{script: bin/a.js, interpreter: node}]}',
      ),
      'a/docs/deep/x.md': '1',
    });
    expect(first.find('a')?.missingScripts).toHaveLength(1);
    await settle();
    await service.ready();
    addToTree(root, { 'a/bin/a.js': '', 'a/docs/deep/y.md': '22' });
    const second = await service.ready();
    expect(second.find('a')).toMatchObject({
      missingScripts: [],
      declaration: { run: [{ script: 'bin/a.js' }] },
    });
    expect(second.find('a')?.files.map(({ path }) => path)).toContain('docs/deep/y.md');
    await settle();
    await service.ready();
    appendFileSync(join(root, 'a/docs/deep/x.md'), '1234');
    const third = await service.ready();
    expect(third.find('a')?.files).toContainEqual({ path: 'docs/deep/x.md', size: 5 });
  });

  it('a root that appears, and a link that leads elsewhere', async () => {
    const { root, service, first } = await open(
      { 'one/a/SKILL.md': plainSkill('a'), 'two/b/SKILL.md': plainSkill('b'), now: { link: 'one' } },
      {},
    );
    expect(namesOf(first)).toEqual([]);
    service.close();
    const linked = new CatalogService({
      roots: [join(root, 'now'), join(root, 'late')],
      strictYaml: false,
      depth: 1,
      maxSkills: 100,
    });
    expect(namesOf(await linked.ready())).toEqual(['a']);
    rmSync(join(root, 'now'));
    symlinkSync('two', join(root, 'now'));
    addToTree(root, { 'late/c/SKILL.md': plainSkill('c') });
    const later = await linked.ready();
    expect(namesOf(later)).toEqual(['b', 'c']);
    expect(later.problems).toEqual([]);
    linked.close();
  });

  it('that one of two directories with the same name is a skill no more', async () => {
    const { root, service, first } = await open({
      'a/SKILL.md': plainSkill('a'),
      'skills/a/SKILL.md': plainSkill('a'),
    });
    expect(namesOf(first)).toEqual([]);
    await settle();
    await service.ready();
    rmSync(join(root, 'skills/a/SKILL.md'));
    const later = await service.ready();
    expect(namesOf(later)).toEqual(['a']);
    expect(problemsOf(later, 'duplicate-name')).toEqual([]);
  });

  it('that a broken file was mended, and that a problem is gone', async () => {
    const { root, service, first } = await open({ 'a/SKILL.md': 'broken', pointer: '../plugins/a' });
    expect(first.problems).toHaveLength(2);
    writeFileSync(join(root, 'a/SKILL.md'), plainSkill('a'));
    rmSync(join(root, 'pointer'));
    const later = await service.ready();
    expect(namesOf(later)).toEqual(['a']);
    expect(later.problems).toEqual([]);
  });

  it('what was changed while an earlier call was being answered', async () => {
    const { root, service } = await open({ 'a/SKILL.md': plainSkill('a') });
    const answers = [];
    for (let n = 0; n < 20; n++) {
      addToTree(root, { [`s${n}/SKILL.md`]: plainSkill(`s${n}`) });
      const name = `s${n}`;
      answers.push(service.ready().then((catalog) => catalog.find(name)?.name));
      if (n % 3 === 0) await new Promise(setImmediate);
    }
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, n) => `s${n}`));
  });
});

describe('what did not change', () => {
  it('is the same object: the catalog, and each skill beside one that was edited', async () => {
    const { root, service } = await open({
      'a/SKILL.md': plainSkill('a'),
      'b/SKILL.md': plainSkill('b'),
      'c/SKILL.md': 'broken',
    });
    await settle();
    const before = await service.ready();
    expect(await service.ready()).toBe(before);
    writeFileSync(join(root, 'b/SKILL.md'), skillMd('name: b\ndescription: Edited.'));
    const after = await service.ready();
    expect(after).not.toBe(before);
    expect(after.find('a')).toBe(before.find('a'));
    expect(after.find('b')).not.toBe(before.find('b'));
  });

  it('is not read again: a bundle of thirty thousand hidden files costs nothing', {
    timeout: 60_000,
  }, async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), 'a/x.md': 'x' });
    for (const hidden of ['a/node_modules', 'a/.venv']) {
      mkdirSync(join(root, hidden));
      for (let n = 0; n < 15_000; n++) closeSync(openSync(join(root, hidden, `f${n}.js`), 'w'));
    }
    const service = new CatalogService({ roots: [root], strictYaml: false, depth: 1, maxSkills: 100 });
    onTestFinished(() => service.close());
    service.onChanged(() => {});
    await service.ready();
    await settle();
    const catalog = await service.ready();
    expect(catalog.find('a')?.files).toHaveLength(2);
    const startedMs = performance.now();
    for (let n = 0; n < 50; n++) expect(await service.ready()).toBe(catalog);
    expect((performance.now() - startedMs) / 50).toBeLessThan(50);
    if (process.platform === 'linux') expect(readdirSync('/proc/self/fd').length).toBeLessThan(200);
  });
});

describe('a file that is being saved', () => {
  it('is no problem while its writer is still at it', async () => {
    const { root, service } = await open({ 'a/SKILL.md': plainSkill('a') });
    await settle();
    await service.ready();
    const handle = openSync(join(root, 'a/SKILL.md'), 'w');
    writeSync(handle, '---\nname: a\ndescr');
    const answer = service.ready();
    await sleep(20);
    writeSync(handle, 'iption: Saved.\n---\nBody\n');
    closeSync(handle);
    const catalog = await answer;
    expect(catalog.problems).toEqual([]);
    expect(catalog.find('a')?.description).toBe('Saved.');
  });

  it('is not missed when it goes away for a moment and comes back', async () => {
    const { root, service } = await open({ 'a/SKILL.md': plainSkill('a') });
    await settle();
    await service.ready();
    const file = join(root, 'a/SKILL.md');
    renameSync(file, `${file}~`);
    const answer = service.ready();
    await sleep(20);
    writeFileSync(file, skillMd('name: a\ndescription: Saved.'));
    const catalog = await answer;
    expect(catalog.problems).toEqual([]);
    expect(catalog.find('a')?.description).toBe('Saved.');
  });

  it('is a problem in the next call when it stays broken', async () => {
    const { root, service } = await open({ 'a/SKILL.md': plainSkill('a') });
    writeFileSync(join(root, 'a/SKILL.md'), 'broken');
    expect(problemsOf(await service.ready(), 'malformed-frontmatter')).toHaveLength(1);
  });
});

describe('listeners', () => {
  it('hear once of a burst, without anybody asking, and no more once they have left', async () => {
    const { root, service } = await open({ 'a/SKILL.md': plainSkill('a') });
    await settle();
    await service.ready();
    let heard = 0;
    const leave = service.onChanged(() => {
      heard += 1;
    });
    for (let n = 0; n < 20; n++) addToTree(root, { [`s${n}/SKILL.md`]: plainSkill(`s${n}`) });
    for (let tries = 0; tries < 100 && heard === 0; tries++) await sleep(100);
    expect(heard).toBe(1);
    expect(namesOf(await service.ready())).toHaveLength(21);
    await sleep(1_500);
    expect(heard).toBe(1);
    leave();
    rmSync(join(root, 'a'), { recursive: true });
    await service.ready();
    await sleep(500);
    expect(heard).toBe(1);
  }, 30_000);

  it('do not hear of the first scan, nor when nothing changes', async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a') });
    const service = new CatalogService({ roots: [root], strictYaml: false, depth: 1, maxSkills: 100 });
    onTestFinished(() => service.close());
    let heard = 0;
    service.onChanged(() => {
      heard += 1;
    });
    await service.ready();
    await service.ready();
    await sleep(400);
    expect(heard).toBe(0);
  });
});

describe('bundles of a large catalog', () => {
  it('are looked at in turns, and at once when they are asked about', { timeout: 60_000 }, async () => {
    const root = makeTree();
    for (let skill = 0; skill < 40; skill++) {
      addToTree(root, { [`s${skill}/SKILL.md`]: plainSkill(`s${skill}`) });
      for (let file = 0; file < 200; file++) writeFileSync(join(root, `s${skill}/f${file}.md`), '');
    }
    const service = new CatalogService({ roots: [root], strictYaml: false, depth: 1, maxSkills: 100 });
    onTestFinished(() => service.close());
    await service.ready();
    await settle();
    await service.ready();
    await service.ready();
    const sizeOf = (catalog: Awaited<ReturnType<typeof service.ready>>, name: string) =>
      catalog.find(name)?.files.find(({ path }) => path === 'f7.md')?.size;
    for (const name of ['s3', 's33']) {
      writeFileSync(join(root, name, 'f7.md'), 'grown');
      expect(sizeOf(await service.ready(() => [name]), name)).toBe(5);
    }
    writeFileSync(join(root, 's20/f7.md'), 'grown');
    let calls = 0;
    while (sizeOf(await service.ready(), 's20') !== 5) expect(++calls).toBeLessThan(10);
  });
});
