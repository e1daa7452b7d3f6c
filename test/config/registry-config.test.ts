import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRegistryText, readRegistryConfig, registryFile } from '../../src/config/registry-config.js';
import { readRegistrySettings } from '../../src/config/registry-settings.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'registry-config-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(text: string): string {
  const file = registryFile(path.join(home, '.config'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('SKILLS_REGISTRY', () => {
  it.each([
    ['acme/skills', undefined],
    ['acme/skills@main', 'main'],
    ['acme/skills@feat/a#1', 'feat/a#1'],
    ['acme/skills@', undefined],
  ])('%s names the branch %s', (text, branch) => {
    expect(parseRegistryText(text)).toEqual({ host: 'github.com', owner: 'acme', repo: 'skills', branch });
  });

  it.each([
    'acme',
    'a/b/c',
    '/b',
    'a/',
    'a b/c',
    '../x',
    'a/..',
    'a/b@x..y',
    'a/b@-x',
    'a/b@x y',
    'https://github.com/a/b',
  ])('%s is refused', (text) => {
    expect(parseRegistryText(text)).toHaveProperty('fault', expect.stringContaining('SKILLS_REGISTRY'));
  });

  it('wins over the file, unless it is blank', () => {
    const file = write('[registry]\nrepo = "file/repo"\n');
    expect(readRegistryConfig('acme/skills', file)).toMatchObject({ owner: 'acme' });
    expect(readRegistryConfig('  ', file)).toMatchObject({ owner: 'file', branch: undefined });
  });
});

describe('the file', () => {
  it('may name branch and host', () => {
    const file = write('# mine\n[registry]\nrepo = "a/b"\ndefault_branch = "x/y"\nhost = "GHE.corp"\n');
    expect(readRegistryConfig(undefined, file)).toEqual({
      host: 'ghe.corp',
      owner: 'a',
      repo: 'b',
      branch: 'x/y',
    });
  });

  it.each([
    ['[registry', /is no TOML/],
    ['repo = "a/b"', /\[registry\]/],
    ['[registry]\nrepo = 5', /registry.repo/],
    ['[registry]\nrepo = "a"', /owner\/name/],
    ['[registry]\nrepo = "a/b"\nhost = "x/../y"', /host/],
  ])('%j is refused with its path', (text, message) => {
    const file = write(text);
    const config = readRegistryConfig(undefined, file);
    expect(config).toHaveProperty('fault', expect.stringMatching(message));
    expect(config).toHaveProperty('fault', expect.stringContaining(file));
  });

  it('is named with the remedy when it is not there', () => {
    const config = readRegistryConfig(undefined, registryFile(home));
    expect(config).toHaveProperty('fault', expect.stringMatching(/SKILLS_REGISTRY=.*registry init/));
  });
});

describe('what gh gets', () => {
  it('is an allowlist: nothing that redirects, floods or colours [registry.token]', () => {
    const bad = {
      GH_HOST: 'x',
      GH_DEBUG: '1',
      GH_FORCE_TTY: '1',
      CLICOLOR_FORCE: '1',
      DEBUG: '1',
      GH_REPO: 'a/b',
      SECRET: 's',
    };
    const { ghEnv } = readRegistrySettings({ ...bad, PATH: '/bin', GH_TOKEN: 't', https_proxy: 'p' }, home);
    expect(ghEnv).toEqual({
      PATH: '/bin',
      GH_TOKEN: 't',
      https_proxy: 'p',
      HOME: home,
      GH_PROMPT_DISABLED: '1',
      NO_COLOR: '1',
    });
  });
});

describe('figures', () => {
  it.each([
    [undefined, 30_000, 0],
    ['', 30_000, 0],
    ['0.25', 250, 0],
    ['0', 1, 0],
    ['900', 300_000, 0],
    ['-1', 30_000, 1],
    ['soon', 30_000, 1],
  ])('a timeout of %j is %s ms', (text, ms, notes) => {
    const settings = readRegistrySettings({ SKILLS_GH_TIMEOUT: text }, home);
    expect(settings.ghTimeoutMs).toBe(ms);
    expect(settings.notes).toHaveLength(notes);
  });

  it('caps the size of a file at what the channel carries', () => {
    const bytes = (text?: string) => readRegistrySettings({ SKILLS_MAX_FILE_BYTES: text }, home).maxFileBytes;
    expect([bytes(), bytes('1000'), bytes('99999999'), bytes('x')]).toEqual([
      2_097_152, 1_000, 11_534_336, 2_097_152,
    ]);
  });

  it('finds the cache where it was asked to be', () => {
    const at = (variables: Record<string, string>) => readRegistrySettings(variables, home).cacheDirectory;
    expect(at({})).toBe(path.join(home, '.cache/skills-mcp'));
    expect(at({ XDG_CACHE_HOME: '/c' })).toBe('/c/skills-mcp');
    expect(at({ XDG_CACHE_HOME: '/c', SKILLS_MCP_CACHE: '/d' })).toBe('/d');
    expect(at({ SKILLS_MCP_CACHE: 'relative' })).toBe(path.join(home, '.cache/skills-mcp'));
  });
});
