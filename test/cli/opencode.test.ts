import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../helpers/command-line.js';
import { skillText } from '../helpers/git-remote.js';

let folder: string;
let config: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'opencode-')));
  config = path.join(folder, '.config/opencode/opencode.jsonc');
  mkdirSync(path.dirname(config), { recursive: true });
  env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    SKILLS_MCP_CONFIG: path.join(folder, 'config.json'),
    SKILLS_MCP_CACHE: folder,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BEFORE = '{\n  // mine\n  "theme": "dark"\n}\n';
const run = (...args: string[]) => runProgram(['opencode', ...args], env);
const backups = () => readdirSync(path.dirname(config)).filter((name) => name.includes('.bak-'));

/** An opencode program that answers as the real one does, from these lists. */
function opencode(skills: readonly object[], servers: readonly object[]): string {
  const file = path.join(folder, 'opencode');
  const answer = (data: unknown) => `'${JSON.stringify({ location: {}, data })}'`;
  writeFileSync(
    file,
    `#!/bin/sh\ncase "$*" in "api GET /api/skill") echo ${answer(skills)} ;; "api GET /api/mcp") echo ${answer(servers)} ;; *) exit 1 ;; esac\n`,
    { mode: 0o755 },
  );
  return file;
}

describe('skill-mcp opencode', () => {
  it('plans without writing, applies, and goes back byte for byte [opencode.edit]', async () => {
    writeFileSync(config, BEFORE);
    const planned = await run('plan');
    expect(planned).toMatchObject({ code: 0, err: '' });
    expect(planned.out).toMatch(/^\+ .*"mcp": \{$/m);
    expect([readFileSync(config, 'utf8'), backups()]).toEqual([BEFORE, []]);

    const applied = JSON.parse((await run('apply')).out);
    expect(applied).toMatchObject({ config, changes: ['mcp.servers.skills', 'plugins'] });
    expect(readFileSync(applied.backup, 'utf8')).toBe(BEFORE);
    expect(applied.backup).toMatch(/opencode\.jsonc\.bak-[^/]+-before-skills-mcp$/);
    const { mcp, plugins } = JSON.parse(readFileSync(config, 'utf8').replace('// mine', ''));
    const [node, entry, ...rest] = mcp.servers.skills.command;
    expect([node, rest]).toEqual([process.execPath, ['--toolsets', 'find']]);
    for (const file of [entry, plugins[0]])
      expect(statSync(file).isFile() && path.isAbsolute(file)).toBe(true);

    expect(JSON.parse((await run('apply')).out)).toEqual({ config, changes: [] });
    expect((await run('plan')).out).toBe(`nothing to change in ${config}\n`);
    expect(backups()).toHaveLength(1);

    const changed = readFileSync(config, 'utf8').replace('dark', 'light');
    writeFileSync(config, changed);
    const reverted = JSON.parse((await run('revert')).out);
    expect(readFileSync(config, 'utf8')).toBe(BEFORE);
    expect(readFileSync(reverted.kept, 'utf8')).toBe(changed);
    expect(reverted.kept).toMatch(/-before-revert$/);
  });

  it('keeps links and modes, and takes the config that it is told', async () => {
    const real = path.join(folder, 'dotfiles.jsonc');
    writeFileSync(real, BEFORE, { mode: 0o640 });
    symlinkSync(real, config);
    env.SKILLS_MCP_OPENCODE_CONFIG = config;
    expect((await run('apply')).code).toBe(0);
    expect(lstatSync(config).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    const other = path.join(folder, 'other.json');
    writeFileSync(other, '');
    expect(JSON.parse((await run('apply', '--config', other)).out).config).toBe(other);
    expect(Object.keys(JSON.parse(readFileSync(other, 'utf8')))).toEqual(['mcp', 'plugins']);
  });

  it('refuses on stderr with code 1, and changes nothing', async () => {
    expect(await run('apply')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('does not exist'),
    });
    expect((await run('revert')).err).toContain('no backup');
    writeFileSync(config, BEFORE);
    const ended = await run('apply', '--disable', 'ghost');
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining('"ghost"') });
    writeFileSync(config, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await run('apply')).err).toContain('not UTF-8');
    expect(backups()).toEqual([]);
  });

  it('says that it needs the opencode program where that is absent', async () => {
    for (const action of ['verify', 'coverage']) {
      expect(await run(action)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('opencode program'),
      });
    }
  });

  it('verifies what OpenCode has loaded', async () => {
    const builtin = {
      id: 'customize-opencode',
      name: 'c',
      location: '/builtin/customize-opencode.md',
      content: '',
    };
    const hidden = { id: 'mine', name: 'mine', autoinvoke: false, location: '/x/mine/SKILL.md', content: '' };
    const servers = [
      { name: 'skills', status: { status: 'connected' } },
      { name: 'old', status: { status: 'disabled' } },
    ];
    const good = await run('verify', '--disable', 'old', '--opencode', opencode([builtin, hidden], servers));
    expect([good.code, JSON.parse(good.out).ok]).toEqual([0, true]);
    const bad = await run('verify', '--opencode', opencode([{ ...hidden, autoinvoke: true }], []));
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out).checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, false, false]);
  });

  it('compares what OpenCode lists with what is served', async () => {
    const local = path.join(folder, 'skills');
    for (const name of ['same', 'copied', 'other']) {
      mkdirSync(path.join(local, name), { recursive: true });
      writeFileSync(path.join(local, name, 'SKILL.md'), skillText(name));
    }
    writeFileSync(
      env.SKILLS_MCP_CONFIG ?? '',
      JSON.stringify({ sources: [{ kind: 'local', id: 'l', path: local }] }),
    );
    const skill = (name: string, location: string, content = '') => ({ id: name, name, location, content });
    const listed = [
      skill('same', path.join(local, 'same/SKILL.md')),
      skill('copied', '/elsewhere/copied/SKILL.md', 'Do copied.'),
      skill('other', '/elsewhere/other/SKILL.md', 'Something else.'),
      skill('builtin', '/builtin/x.md'),
    ];
    const covered = await run('coverage', '--opencode', opencode(listed, []));
    expect(JSON.parse(covered.out)).toEqual({ served: ['copied', 'same'], missing: [], shadowed: ['other'] });
    expect(covered.code).toBe(0);
    const lacking = await run(
      'coverage',
      '--opencode',
      opencode([...listed, skill('gone', '/g/SKILL.md')], []),
    );
    expect([lacking.code, JSON.parse(lacking.out).missing]).toEqual([1, ['gone']]);
  });
});
