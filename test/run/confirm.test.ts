import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/errors/refusal.js';
import { Confirmations } from '../../src/run/confirm.js';
import type { RunPlan } from '../../src/run/run-plan.js';
import { makePlan } from '../helpers/plans.js';

const TTL_MS = 600_000;
const preview = () => '{"dryRun":true}';

function make(confirmSecret?: string) {
  const clock = { now: Date.UTC(2026, 10, 30) };
  const confirmations = new Confirmations({ confirmTtlMs: TTL_MS, confirmSecret }, () => clock.now);
  const codeOf = (token: string, plan: RunPlan): string => {
    try {
      confirmations.reserve(token, plan, preview);
      return 'reserved';
    } catch (error) {
      return error instanceof Refusal ? (error.code ?? '') : String(error);
    }
  };
  return { clock, confirmations, codeOf };
}

describe('a confirmation token [confirm.token]', () => {
  it('is good for its plan', () => {
    const { confirmations, codeOf } = make();
    const { confirmToken, expiresAt } = confirmations.issue(makePlan());
    expect(expiresAt).toBe('2026-11-30T00:10:00.000Z');
    expect(confirmToken).toMatch(/^[\w-]{60,70}$/);
    expect(codeOf(confirmToken, makePlan())).toBe('reserved');
  });

  it('is good once, and not for two calls at a time', () => {
    const { confirmations, codeOf } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    const reservation = confirmations.reserve(confirmToken, makePlan(), preview);
    expect(codeOf(confirmToken, makePlan())).toBe('TOKEN_REUSED');
    reservation.spend();
    reservation.release();
    expect(codeOf(confirmToken, makePlan())).toBe('TOKEN_REUSED');
  });

  it('is given back when nothing was run', () => {
    const { confirmations, codeOf } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    confirmations.reserve(confirmToken, makePlan(), preview).release();
    expect(codeOf(confirmToken, makePlan())).toBe('reserved');
  });

  it('ends with its time, spent ones included', () => {
    const { clock, confirmations, codeOf } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    confirmations.reserve(confirmToken, makePlan(), preview).spend();
    clock.now += TTL_MS - 1;
    expect(codeOf(confirmToken, makePlan())).toBe('TOKEN_REUSED');
    clock.now += 1;
    confirmations.issue(makePlan());
    expect(codeOf(confirmToken, makePlan())).toBe('TOKEN_EXPIRED');
  });

  it('cannot be made up or altered', () => {
    const { confirmations, codeOf } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    const bytes = Buffer.from(confirmToken, 'base64url');
    for (let at = 0; at < bytes.byteLength; at++) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(codeOf(altered.toString('base64url'), makePlan())).toBe('TOKEN_INVALID');
    }
    for (const text of ['', 'x', `${confirmToken}=`, ` ${confirmToken}`, confirmToken.slice(1)]) {
      expect(codeOf(text, makePlan())).toBe('TOKEN_INVALID');
    }
    expect(codeOf(make().confirmations.issue(makePlan()).confirmToken, makePlan())).toBe('TOKEN_INVALID');
  });

  it('holds across processes that share a secret', () => {
    const secret = 's'.repeat(32);
    const { confirmToken } = make(secret).confirmations.issue(makePlan());
    expect(make(secret).codeOf(confirmToken, makePlan())).toBe('reserved');
    expect(make(secret).codeOf(confirmToken, makePlan({ sha256: 'b'.repeat(64) }))).toBe('PLAN_CHANGED');
  });
});

describe('a plan that changed since its preview [confirm.changed]', () => {
  it.each<[string, Partial<RunPlan>]>([
    ["the script's bytes", { sha256: 'b'.repeat(64) }],
    ['the arguments', { argv: ['scripts/forecast.js', 'b'] }],
    ['the arguments', { argv: ['scripts/forecast.js', 'a', 'b'] }],
    ['the variables', { envNames: ['PATH'] }],
    ['the fence', { fence: { level: 'portable', network: 'host' } }],
    ['the timeout', { timeoutMs: 1 }],
    ['stdin', { stdin: { bytes: 1, sha256: 'c'.repeat(64) } }],
    ['the interpreter', { file: '/other/node' }],
    ['the working directory', { cwd: '/elsewhere' }],
    ['the skill', { skill: 'other' }],
    ['the script', { scriptPath: '/skills/weather/other.js' }],
  ])('is refused naming %s, with a fresh preview at the end', (part, change) => {
    const { confirmations } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    let refusal: unknown;
    try {
      confirmations.reserve(confirmToken, makePlan(change), preview);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: 'PLAN_CHANGED',
      message: `${part} changed since the preview that this confirmToken belongs to`,
      attachment: 'preview: {"dryRun":true}',
    });
    confirmations.reserve(confirmToken, makePlan(), preview);
  });

  it('names every part that changed', () => {
    const { confirmations } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    const changed = makePlan({ sha256: 'b'.repeat(64), timeoutMs: 1 });
    expect(() => confirmations.reserve(confirmToken, changed, preview)).toThrow(
      /^the script's bytes, the timeout changed/,
    );
  });

  it('is the same plan when only an inode or the words of a reason differ', () => {
    const { confirmations, codeOf } = make();
    const { confirmToken } = confirmations.issue(makePlan());
    const fence = { ...makePlan().fence, reason: 'other words' };
    expect(codeOf(confirmToken, makePlan({ ino: '99', fence }))).toBe('reserved');
  });
});
