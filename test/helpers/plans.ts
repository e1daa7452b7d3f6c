import type { RunPlan } from '../../src/run/run-plan.js';

/** A run plan of the usual kind. */
export function makePlan(overrides: Partial<RunPlan> = {}): RunPlan {
  return {
    skill: 'weather',
    script: 'scripts/forecast.js',
    interpreter: 'node',
    file: '/usr/bin/node',
    scriptPath: '/skills/weather/scripts/forecast.js',
    root: '/skills/weather',
    argv: ['scripts/forecast.js', 'a'],
    cwd: '/skills/weather',
    timeoutMs: 60_000,
    envNames: ['API_KEY', 'PATH'],
    envNotSet: [],
    envWarning: undefined,
    stdin: undefined,
    sha256: 'a'.repeat(64),
    dev: '1',
    ino: '2',
    fence: { level: 'namespace', network: 'host' },
    ...overrides,
  };
}
