import { describe, expect, it } from 'vitest';
import { readFindPaths } from '../../src/config/find-paths.js';

const read = (variables: Record<string, string>, home: string | undefined = '/home/me') =>
  readFindPaths(new Map(Object.entries(variables)), home, '/work');

describe('where the find toolset keeps its things', () => {
  it('is below the home directory, unless the standard variables say otherwise', () => {
    expect(read({})).toEqual({
      config: '/home/me/.config/skills-mcp/config.json',
      isConfigGiven: false,
      cache: '/home/me/.cache/skills-mcp',
      syncTimeoutMs: 45_000,
      problems: [],
    });
    expect(read({ XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/k' })).toMatchObject({
      config: '/c/skills-mcp/config.json',
      cache: '/k/skills-mcp',
    });
    expect(read({ XDG_CONFIG_HOME: 'relative' }).config).toBe('/home/me/.config/skills-mcp/config.json');
  });

  it('is where its own variables say', () => {
    expect(
      read({ SKILLS_MCP_CONFIG: '~/c.json', SKILLS_MCP_CACHE: 'cache', XDG_CACHE_HOME: '/k' }),
    ).toMatchObject({
      config: '/home/me/c.json',
      isConfigGiven: true,
      cache: '/work/cache',
    });
  });

  it('takes a blank variable and a placeholder that nobody filled in for unset', () => {
    for (const value of ['', '  ', '${SKILLS_MCP_CONFIG}']) {
      expect(read({ SKILLS_MCP_CONFIG: value }).isConfigGiven).toBe(false);
    }
  });

  it('bounds the time of a sync, and names a time that is none', () => {
    expect(read({ SKILLS_MCP_SYNC_TIMEOUT: '1.5' }).syncTimeoutMs).toBe(1_500);
    expect(read({ SKILLS_MCP_SYNC_TIMEOUT: '9999' }).syncTimeoutMs).toBe(300_000);
    for (const value of ['0', '-1', 'soon', 'NaN', 'Infinity']) {
      const { syncTimeoutMs, problems } = read({ SKILLS_MCP_SYNC_TIMEOUT: value });
      expect([syncTimeoutMs, problems[0]?.variable]).toEqual([45_000, 'SKILLS_MCP_SYNC_TIMEOUT']);
    }
  });

  it('is found without a home too', () => {
    expect(readFindPaths(new Map(), undefined, '/work').config).toBe('/work/.config/skills-mcp/config.json');
  });
});
