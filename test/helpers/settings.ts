import type { Settings } from '../../src/config/settings.js';

/** Settings of a bare start outside of any host. */
export function makeSettings(overrides: Partial<Settings> = {}): Settings {
  return {
    roots: ['/skills'],
    rootsFrom: 'SKILLS_DIR',
    hosted: false,
    grantText: undefined,
    interpreters: new Map([['node', process.execPath]]),
    confirmMode: 'flag',
    confirmTtlMs: 600_000,
    confirmSecret: undefined,
    fence: 'auto',
    minFence: undefined,
    fenceOptions: { readable: [], writable: [] },
    fenceFault: undefined,
    killGraceMs: 500,
    strictYaml: false,
    depth: 1,
    maxSkills: 10_000,
    allowUnscrubbed: false,
    logLevel: 'warn',
    toolsets: ['serve'],
    variables: new Map(),
    problems: [],
    ...overrides,
  };
}
