import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RawServer, type RawServerOptions } from '../helpers/raw-server.js';
import { makeTree, plainSkill, skillMd } from '../helpers/skill-tree.js';

let server: RawServer;

afterEach(async () => {
  await server.end();
});

interface Listing {
  roots: string[];
  rootsFrom: string;
  skills: { name: string; description?: string; scripts: { script: string }[] }[];
  problems: { path: string; reason: string; detail: string }[];
}

/** What skill_list answers for a server that is started so. */
async function list(options: RawServerOptions): Promise<Listing> {
  server = new RawServer(options);
  await server.initialize();
  return server.call('skill_list');
}

const names = ({ skills }: Listing) => skills.map(({ name }) => name);
const reasons = ({ problems }: Listing) => problems.map(({ reason }) => reason);

const declaring = (script: string) =>
  `mcp-host:\n  version: 1\n  run:\n    - {script: ${script}, interpreter: node}`;

describe('skills are found', () => {
  it('in the three places below a root [skills.layouts]', async () => {
    const one = makeTree({ 'SKILL.md': plainSkill('whatever') });
    const many = makeTree({ 'a/SKILL.md': plainSkill('a'), 'skills/b/SKILL.md': plainSkill('b') });
    const listing = await list({ args: ['--root', one, '--root', many] });
    expect(names(listing)).toEqual(['a', 'b', one.slice(one.lastIndexOf('/') + 1)].sort());
    expect(listing).toMatchObject({ roots: [one, many], rootsFrom: 'arguments' });
  });

  it('under the name of their directory, whatever their file says [skills.name]', async () => {
    const root = makeTree({ 'mine/SKILL.md': plainSkill('yours') });
    const listing = await list({ args: ['--root', root] });
    expect(names(listing)).toEqual(['mine']);
    expect(reasons(listing)).toEqual(['name-mismatch']);
    expect(await server.refuse('skill_load', { name: 'yours' })).toContain('mine');
  });

  it('but not when two have one name: neither is served [skills.duplicates]', async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), 'skills/a/SKILL.md': plainSkill('a') });
    const listing = await list({ args: ['--root', root] });
    expect(names(listing)).toEqual([]);
    expect(listing.problems).toMatchObject([{ reason: 'duplicate-name' }]);
    expect(listing.problems[0]?.detail).toContain(join(root, 'a'));
    expect(listing.problems[0]?.detail).toContain(join(root, 'skills/a'));
  });

  it('behind links that stay inside the roots, and no others [skills.links]', async () => {
    const outside = makeTree({ 'SKILL.md': plainSkill('outside') });
    const root = makeTree({
      'shared/deep/SKILL.md': plainSkill('deep'),
      inside: { link: 'shared/deep' },
      outside: { link: outside },
      broken: { link: 'nowhere' },
    });
    const listing = await list({ args: ['--root', root] });
    expect(names(listing)).toEqual(['inside']);
    const escapes = listing.problems.filter(({ reason }) => reason === 'symlink-escape');
    expect(escapes.map(({ path }) => path)).toEqual([join(root, 'broken'), join(root, 'outside')]);
  });

  it('as deep as is asked for, and what lies deeper is counted [skills.deeper]', async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), 'x/y/z/SKILL.md': plainSkill('z') });
    const flat = await list({ args: ['--root', root] });
    expect(names(flat)).toEqual(['a']);
    expect(flat.problems.find(({ reason }) => reason === 'not-scanned')?.detail).toMatch(/^1 more SKILL\.md/);
    await server.end();
    const deep = await list({ args: ['--root', root], env: { SKILL_MCP_DEPTH: '4' } });
    expect(names(deep)).toEqual(['a', 'z']);
    expect(reasons(deep)).not.toContain('not-scanned');
  });
});

describe('whatever is not served as it was meant', () => {
  it('is listed with its path and the reason, and costs nothing else [skills.problems]', async () => {
    const root = makeTree({
      'empty/notes.md': 'no skill here',
      'small/skill.md': plainSkill('small'),
      'broken/SKILL.md': skillMd('description: [never closed'),
      'good/SKILL.md': skillMd(`description: Declares what is not there.\n${declaring('scripts/gone.js')}`),
    });
    const listing = await list({ args: ['--root', root] });
    expect(names(listing)).toEqual(['good']);
    expect(Object.fromEntries(listing.problems.map(({ path, reason }) => [path, reason]))).toEqual({
      [join(root, 'broken/SKILL.md')]: 'malformed-frontmatter',
      [join(root, 'empty')]: 'no-skill-md',
      [join(root, 'good/scripts/gone.js')]: 'declared-script-missing',
      [join(root, 'small')]: 'no-skill-md',
    });
    for (const { detail } of listing.problems) expect(detail).toMatch(/^[^\n]+$/);
  });

  it('names line and column of what does not parse [skills.frontmatter]', async () => {
    const root = makeTree({ 'bad/SKILL.md': skillMd('name: bad\ndescription: *nobody') });
    const listing = await list({ args: ['--root', root] });
    expect(names(listing)).toEqual([]);
    expect(listing.problems).toMatchObject([
      { reason: 'malformed-frontmatter', detail: expect.stringMatching(/3:14/) },
    ]);
  });

  it('is repaired where a value only lacks its quotes, and then runs nothing [skills.recovered]', async () => {
    const root = makeTree({
      'a/SKILL.md': skillMd(`description: Use it for: everything\n${declaring('a.js')}`),
      'a/a.js': '',
    });
    const listing = await list({ args: ['--root', root] });
    expect(listing.skills).toMatchObject([{ description: 'Use it for: everything', scripts: [] }]);
    expect(listing.problems.find(({ reason }) => reason === 'malformed-frontmatter')?.detail).toMatch(
      /2:\d+/,
    );
    await server.end();
    const strict = await list({ args: ['--root', root], env: { SKILL_MCP_STRICT_YAML: '1' } });
    expect(names(strict)).toEqual([]);
  });

  it('is cut and reported where there is too much of it [skills.caps]', async () => {
    const bundle = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`a/f${index}.txt`, '']));
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), ...bundle, 'b/SKILL.md': plainSkill('b') });
    const large = await list({ args: ['--root', root] });
    expect(names(large)).toEqual(['a', 'b']);
    expect(reasons(large)).toEqual(['file-limit']);
    await server.end();
    const few = await list({ args: ['--root', root], env: { SKILL_MCP_MAX_SKILLS: '1' } });
    expect(few.skills).toHaveLength(1);
    expect(reasons(few)).toContain('skill-limit');
  }, 60_000);
});

describe('settings', () => {
  it('take the roots from the first place that names any [settings.roots]', async () => {
    const [host, given, local] = ['host', 'given', 'local'].map((name) =>
      makeTree({ [`${name}/SKILL.md`]: plainSkill(name) }),
    ) as [string, string, string];
    const args = ['--root', given];
    const all = await list({ args, env: { MCP_SKILLS_PATH: ` ${host} ::${host}/`, SKILLS_DIR: local } });
    expect([all.rootsFrom, names(all), all.roots]).toEqual(['MCP_SKILLS_PATH', ['host'], [host]]);
    await server.end();
    const unset = await list({ args, env: { MCP_SKILLS_PATH: '$' + '{SKILLS}', SKILLS_DIR: local } });
    expect([unset.rootsFrom, names(unset)]).toEqual(['arguments', ['given']]);
    await server.end();
    const own = await list({ env: { SKILLS_DIR: local } });
    expect([own.rootsFrom, names(own)]).toEqual(['SKILLS_DIR', ['local']]);
    await server.end();
    expect(names(await list({ env: { SKILLS_DIR: ' ' } }))).toEqual(['skill-mcp-demo']);
  });

  it('that are wrong are shown and never stop the start [settings.harmless]', async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), file: '' });
    chmodSync(join(root, 'file'), 0o600);
    const wrong = {
      SKILLS_DIR: `${root}:${root}/gone:${root}/file:~nobody/skills`,
      SKILL_MCP_DEPTH: 'deep',
      SKILL_MCP_KILL_GRACE: '-1',
      SKILL_MCP_CONFIRM: 'maybe',
      SKILL_MCP_INTERPRETERS: 'sh=/no/such/sh',
      SKILL_MCP_NO_SUCH_THING: '1',
      MCP_SKILL_RUN: '[{"skill": "a", "script": "gone.js"}]',
    };
    const listing = await list({ env: wrong });
    expect(names(listing)).toEqual(['a']);
    const paths = listing.problems.map(({ path }) => path);
    const { SKILLS_DIR: _roots, ...variables } = wrong;
    expect(paths).toEqual(
      expect.arrayContaining([...Object.keys(variables), `${root}/gone`, `${root}/file`, '~nobody/skills']),
    );
  });
});
