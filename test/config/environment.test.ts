import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommandLineError, parseCommandLine } from '../../src/config/command-line.js';
import { readSettings, VARIABLES } from '../../src/config/environment.js';
import type { Settings } from '../../src/config/settings.js';
import { makeTree } from '../helpers/skill-tree.js';

const HOME = '/home/somebody';

function settings(variables: Record<string, string | undefined>, argv: string[] = []): Settings {
  return readSettings({
    variables,
    arguments: parseCommandLine(argv),
    packageSkills: '/package/skills',
    nodePath: process.execPath,
    home: HOME,
    cwd: '/work/dir',
  });
}

const namesOfProblems = (found: Settings): string[] => found.problems.map(({ path }) => path);

describe('roots', () => {
  it('come from the first place that names any', () => {
    const all = { MCP_SKILLS_PATH: '/m', SKILLS_DIR: '/s' };
    expect(settings(all, ['--root', '/a'])).toMatchObject({ roots: ['/m'], rootsFrom: 'MCP_SKILLS_PATH' });
    expect(settings({ SKILLS_DIR: '/s' }, ['--root', '/a'])).toMatchObject({
      roots: ['/a'],
      rootsFrom: 'arguments',
    });
    expect(settings({ SKILLS_DIR: '/s' })).toMatchObject({ roots: ['/s'], rootsFrom: 'SKILLS_DIR' });
    expect(settings({})).toMatchObject({ roots: ['/package/skills'], rootsFrom: 'default', problems: [] });
  });

  it('count as unset when blank or an unsubstituted placeholder, but still mark a host', () => {
    const blanks = ['', '  ', delimiter, ' : '];
    const placeholders = [['SKILLS_DIR'], ['user_config.dir'], ['A:-b'], ['A', 'B']].map((names) =>
      names.map((name) => `\${${name}}`).join(':'),
    );
    for (const value of [...blanks, ...placeholders]) {
      expect(settings({ SKILLS_DIR: value })).toMatchObject({
        rootsFrom: 'default',
        hosted: false,
        problems: [],
      });
      const hosted = settings({ MCP_SKILLS_PATH: value, SKILLS_DIR: '/s' });
      expect(hosted).toMatchObject({ roots: ['/s'], rootsFrom: 'SKILLS_DIR', hosted: true });
    }
  });

  it('leave out, with a problem, single parts and arguments that a client did not fill in', () => {
    const folder = '${workspaceFolder}';
    const left = (path: string, text: string) => ({
      path,
      reason: 'root-unreadable',
      detail: expect.stringContaining(text),
    });
    expect(settings({ SKILLS_DIR: `/a${delimiter}${folder}/skills${delimiter}${folder}` })).toMatchObject({
      roots: ['/a'],
      problems: [left('SKILLS_DIR', `${folder}/skills`), left('SKILLS_DIR', folder)],
    });
    expect(settings({ SKILLS_DIR: '/s' }, ['--root', folder])).toMatchObject({
      roots: ['/s'],
      rootsFrom: 'SKILLS_DIR',
      problems: [left('--root', folder)],
    });
    expect(settings({}, ['--root', '', '--root', '/a'])).toMatchObject({
      roots: ['/a'],
      rootsFrom: 'arguments',
      problems: [left('--root', 'names no directory')],
    });
  });

  it('are split, trimmed, expanded and made absolute', () => {
    const found = settings({
      SKILLS_DIR: ` /a ${delimiter}${delimiter}b/../c${delimiter}~${delimiter}~/skills${delimiter}/d/`,
    });
    expect(found.roots).toEqual(['/a', '/work/dir/c', HOME, `${HOME}/skills`, '/d']);
    expect(found.problems).toEqual([]);
  });

  it('on the command line are one directory each', () => {
    expect(settings({}, ['--root', '/a:/b', '--root', 'c']).roots).toEqual(['/a:/b', '/work/dir/c']);
  });

  it('never guess at the home of somebody else', () => {
    const found = settings({ SKILLS_DIR: `~bob/skills${delimiter}/a` });
    expect(found.roots).toEqual(['/a']);
    expect(found.problems).toEqual([
      { path: '~bob/skills', reason: 'root-unreadable', detail: expect.stringContaining('~bob') },
    ]);
    const alone = settings({ SKILLS_DIR: '~bob' });
    expect(alone).toMatchObject({ roots: [], rootsFrom: 'SKILLS_DIR' });
    const homeless = readSettings({
      variables: { SKILLS_DIR: '~/x' },
      arguments: parseCommandLine([]),
      packageSkills: '/p',
      nodePath: process.execPath,
      home: undefined,
      cwd: '/',
    });
    expect(homeless.problems).toMatchObject([{ path: '~/x', reason: 'root-unreadable' }]);
  });

  it('are one when they are one real directory', () => {
    const tree = makeTree({ 'real/a': '', link: { link: 'real' } });
    const written = [join(tree, 'real'), join(tree, 'link'), join(tree, 'real/'), join(tree, 'gone')];
    expect(settings({ SKILLS_DIR: written.join(delimiter) }).roots).toEqual([
      join(tree, 'real'),
      join(tree, 'gone'),
    ]);
  });
});

describe('a host', () => {
  it.each(['MCP_SKILLS_PATH', 'MCP_HOST_METER_FILE', 'MCP_DATA_DIR', 'MCP_BLOB_BASE_URL'])(
    'is betrayed by %s, blank or not',
    (name) => {
      expect(settings({ [name]: '' }).hosted).toBe(true);
      expect(settings({ [name]: '/x' }).hosted).toBe(true);
      expect(settings({ [name]: undefined }).hosted).toBe(false);
    },
  );

  it('is not betrayed by SKILLS_DIR', () => {
    expect(settings({ SKILLS_DIR: '/x', MCP_SKILL_RUN: '[]' }).hosted).toBe(false);
  });
});

describe('single values', () => {
  it('have defaults', () => {
    const found = settings({});
    expect(found).toMatchObject({
      grantText: undefined,
      confirmMode: 'flag',
      confirmTtlMs: 600_000,
      confirmSecret: undefined,
      fence: 'auto',
      minFence: undefined,
      fenceFault: undefined,
      killGraceMs: 500,
      strictYaml: false,
      depth: 1,
      maxSkills: 10_000,
      allowUnscrubbed: false,
      logLevel: 'warn',
      toolsets: ['serve'],
    });
    expect([...found.interpreters]).toEqual([['node', process.execPath]]);
    expect(Object.isFrozen(found)).toBe(true);
  });

  it('are taken when they are good', () => {
    const found = settings({
      MCP_SKILL_RUN: ' [] ',
      SKILL_MCP_CONFIRM: 'token',
      SKILL_MCP_CONFIRM_TTL: '30',
      SKILL_MCP_CONFIRM_SECRET: 's'.repeat(32),
      SKILL_MCP_FENCE: 'portable',
      SKILL_MCP_MIN_FENCE: 'namespace',
      SKILL_MCP_KILL_GRACE: '1.25',
      SKILL_MCP_STRICT_YAML: '1',
      SKILL_MCP_DEPTH: '6',
      SKILL_MCP_MAX_SKILLS: '7',
      SKILL_MCP_ALLOW_UNSCRUBBED: 'true',
      SKILL_MCP_LOG_LEVEL: 'debug',
      SKILL_MCP_TOOLSETS: 'serve',
      SKILL_MCP_RUN_ID: 'nested',
    });
    expect(found).toMatchObject({
      grantText: '[]',
      confirmMode: 'token',
      confirmTtlMs: 30_000,
      confirmSecret: 's'.repeat(32),
      fence: 'portable',
      minFence: 'namespace',
      killGraceMs: 1_250,
      strictYaml: true,
      depth: 6,
      maxSkills: 7,
      allowUnscrubbed: true,
      logLevel: 'debug',
      problems: [],
    });
  });

  it.each([
    ['SKILL_MCP_CONFIRM', 'yes', { confirmMode: 'refuse' }],
    ['SKILL_MCP_CONFIRM_TTL', '-1', { confirmTtlMs: 600_000 }],
    ['SKILL_MCP_CONFIRM_TTL', '1e3', { confirmTtlMs: 600_000 }],
    ['SKILL_MCP_CONFIRM_SECRET', 'hunter2', { confirmSecret: undefined }],
    ['SKILL_MCP_KILL_GRACE', '5.1', { killGraceMs: 500 }],
    ['SKILL_MCP_KILL_GRACE', '500ms', { killGraceMs: 500 }],
    ['SKILL_MCP_STRICT_YAML', 'maybe', { strictYaml: false }],
    ['SKILL_MCP_DEPTH', '0', { depth: 1 }],
    ['SKILL_MCP_DEPTH', '2.5', { depth: 1 }],
    ['SKILL_MCP_MAX_SKILLS', 'many', { maxSkills: 10_000 }],
    ['SKILL_MCP_ALLOW_UNSCRUBBED', 'please', { allowUnscrubbed: false }],
    ['SKILL_MCP_LOG_LEVEL', 'loud', { logLevel: 'warn' }],
    ['SKILL_MCP_FENCE', 'strong', { fenceFault: expect.stringContaining('SKILL_MCP_FENCE') }],
    ['SKILL_MCP_MIN_FENCE', 'auto', { fenceFault: expect.stringContaining('SKILL_MCP_MIN_FENCE') }],
    ['SKILL_MCP_LIMITS', 'data=lots', { fenceFault: expect.stringContaining('SKILL_MCP_LIMITS') }],
    ['SKILL_MCP_LIMITS', 'cpu=1M', { fenceFault: expect.stringContaining('SKILL_MCP_LIMITS') }],
    ['SKILL_MCP_LIMITS', 'cpu=1,cpu=2', { fenceFault: expect.stringContaining('cpu twice') }],
    ['SKILL_MCP_CGROUP', 'here', { fenceFault: expect.stringContaining('SKILL_MCP_CGROUP') }],
    [
      'SKILL_MCP_NODE_PERMISSION',
      'maybe',
      { fenceFault: expect.stringContaining('SKILL_MCP_NODE_PERMISSION') },
    ],
    ['SKILL_MCP_SANDBOX_READ', 'src/x', { fenceOptions: { readable: [], writable: [] } }],
    ['SKILL_MCP_SANDBOX_WRITE', '/proc/1', { fenceOptions: { readable: [], writable: [] } }],
    ['SKILL_MCP_RUN_AS', '0:1000', { fenceFault: expect.stringContaining('SKILL_MCP_RUN_AS') }],
    ['SKILL_MCP_RUN_AS', 'nobody', { fenceFault: expect.stringContaining('SKILL_MCP_RUN_AS') }],
    ['SKILL_MCP_DEPHT', '3', { depth: 1 }],
  ])('of %s: %j is named, costs itself and is not repeated', (name, value, expected) => {
    const found = settings({ [name]: value });
    expect(found).toMatchObject(expected);
    expect(namesOfProblems(found)).toEqual([name]);
    for (const { detail } of found.problems)
      expect(detail).not.toContain(value === '3' || value === '0' || value === 'auto' ? '\n' : value);
  });

  it('say what is wanted on top of the level [fence.options]', () => {
    const { fenceOptions, fenceFault } = settings({
      SKILL_MCP_SANDBOX_READ: '/opt/models:/srv/data/',
      SKILL_MCP_SANDBOX_WRITE: '/srv/out',
      MCP_DATA_DIR: '/data',
      SKILL_MCP_LIMITS: 'data=256M, nofile=256,fsize=1k',
      SKILL_MCP_RUN_AS: '1000:1001',
      SKILL_MCP_CGROUP: '/sys/fs/cgroup/scripts',
      SKILL_MCP_NODE_PERMISSION: '1',
    });
    expect(fenceFault).toBeUndefined();
    expect(fenceOptions).toEqual({
      readable: ['/opt/models', '/srv/data'],
      writable: ['/srv/out', '/data'],
      limits: { data: 256 * 1024 ** 2, nofile: 256, fsize: 1024 },
      runAs: { uid: 1000, gid: 1001 },
      cgroup: '/sys/fs/cgroup/scripts',
      nodePermission: true,
    });
    expect(settings({ SKILL_MCP_NODE_PERMISSION: '0' }).fenceOptions).toEqual({ readable: [], writable: [] });
  });

  it('keep every variable as it is, for the scripts that are granted one', () => {
    const found = settings({ KEY: ' value ', EMPTY: '', GONE: undefined });
    expect([...found.variables]).toEqual([
      ['KEY', ' value '],
      ['EMPTY', ''],
    ]);
  });
});

describe('interpreters', () => {
  it('are absolute, there and executable', () => {
    const tree = makeTree({ 'bin/py': '#!', 'bin/plain': '', 'bin/odd,name': '#!' });
    for (const name of ['bin/py', 'bin/odd,name']) chmodSync(join(tree, name), 0o755);
    writeFileSync(join(tree, 'bin/plain'), '', { mode: 0o644 });
    const value = [
      `python3=${tree}/bin/py`,
      `odd=${tree}/bin/odd,name`,
      `plain=${tree}/bin/plain`,
      `dir=${tree}/bin`,
      `gone=${tree}/bin/gone`,
      'rel=bin/py',
      `node=${tree}/bin/py`,
      `python3=${tree}/bin/odd,name`,
      '=x',
    ].join(',');
    const found = settings({ SKILL_MCP_INTERPRETERS: value });
    expect([...found.interpreters.keys()]).toEqual(['node', 'python3', 'odd']);
    expect(found.interpreters.get('python3')).toBe(`${tree}/bin/py`);
    expect(found.interpreters.get('node')).toBe(process.execPath);
    expect(found.interpreters.get('constructor')).toBeUndefined();
    const details = found.problems.map(({ path, reason, detail }) => {
      expect([path, reason]).toEqual(['SKILL_MCP_INTERPRETERS', 'grant']);
      return detail;
    });
    expect(details).toHaveLength(6);
    expect(details.join('\n')).toMatch(
      /plain.*EACCES.*no file.*gone.*ENOENT.*absolute.*node is always.*there already/s,
    );
  });

  it('may be separated by the path delimiter as well', () => {
    const found = settings({
      SKILL_MCP_INTERPRETERS: `a=${process.execPath}${delimiter}b=${process.execPath}`,
    });
    expect([...found.interpreters.keys()]).toEqual(['node', 'a', 'b']);
  });
});

describe('toolsets', () => {
  it('that nobody knows stop the start', () => {
    expect(() => settings({ SKILL_MCP_TOOLSETS: 'serve,fly' })).toThrow(CommandLineError);
    expect(() => settings({}, ['--toolsets', 'constructor'])).toThrow(
      /--toolsets: unknown toolset "constructor"/,
    );
    expect(settings({ SKILL_MCP_TOOLSETS: ' , ' }).toolsets).toEqual(['serve']);
    expect(settings({ SKILL_MCP_TOOLSETS: 'fly' }, ['--toolsets', 'serve,serve']).toolsets).toEqual([
      'serve',
    ]);
  });
});

it('documents each variable once', () => {
  const names = VARIABLES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, meaning, default: fallback } of VARIABLES) {
    expect(name).toMatch(/^[A-Z_]+$/);
    expect(meaning + fallback).not.toContain('\n');
  }
});
