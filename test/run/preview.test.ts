import { describe, expect, it } from 'vitest';
import { describePreview, writePreview } from '../../src/run/preview.js';
import { makePlan } from '../helpers/plans.js';

const token = { confirmToken: 'abc', expiresAt: '2026-11-30T00:10:00.000Z' };

describe('a preview [confirm.preview]', () => {
  it('shows the plan and says that nothing was started', () => {
    const preview = describePreview(makePlan(), token, 'flag', undefined);
    expect(preview).toEqual({
      dryRun: true,
      willRun: {
        skill: 'weather',
        script: 'scripts/forecast.js',
        interpreter: 'node',
        argv: ['scripts/forecast.js', 'a'],
        cwd: '/skills/weather',
        timeoutMs: 60_000,
        envNames: ['API_KEY', 'PATH'],
        sha256: 'a'.repeat(64),
        fence: { level: 'namespace', network: 'host' },
      },
      ...token,
      note: expect.stringMatching(/confirm: true.*No process of the script was started/),
    });
  });

  it('shows missing variables, a warning and the size of stdin where there are any', () => {
    const plan = makePlan({
      envNotSet: ['REGION'],
      envWarning: 'API_KEY will be handed over',
      stdin: { bytes: 3, sha256: 'c'.repeat(64) },
    });
    expect(describePreview(plan, token, 'token', 'confirm was a string.')).toMatchObject({
      willRun: { envNotSet: ['REGION'], envWarning: 'API_KEY will be handed over', stdinBytes: 3 },
      note: expect.stringMatching(/^confirm was a string\. /),
    });
  });

  it('has no token where none would help', () => {
    const preview = describePreview(makePlan(), undefined, 'refuse', undefined);
    expect(preview).not.toHaveProperty('confirmToken');
    expect(preview.note).toMatch(/switched off/);
  });

  it('is written as JSON without anything invisible in it', () => {
    const argument = 'a\u202eb\u2028c\u007f\u{e0041}\n😀';
    const text = writePreview({ argv: [argument] });
    expect(text).toMatch(/^[\u0020-\u007e😀]+$/u);
    expect(JSON.parse(text)).toEqual({ argv: [argument] });
  });
});
