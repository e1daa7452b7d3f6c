import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RestartPolicy } from '../../../supervisor/client/backoff.js';

describe('when a supervisor is started again', () => {
  it('at once the first time, then after ever longer waits, up to 10 s', () => {
    const policy = new RestartPolicy();
    const waits: number[] = [];
    // Half a minute apart, so that it is never too often.
    for (let now = 0; waits.length < 7; now += 30_000) {
      policy.died(now, 29_000);
      waits.push(policy.next(now).at - now);
    }
    expect(waits).toEqual([0, 100, 400, 1_600, 6_400, 10_000, 10_000]);
  });

  it('has no wait before any death, nor when the wait is over already', () => {
    const policy = new RestartPolicy();
    expect(policy.next(5)).toEqual({ kind: 'start', at: 5 });
    policy.died(10, 0);
    policy.died(20, 0);
    expect(policy.next(60)).toEqual({ kind: 'start', at: 120 });
    expect(policy.next(500)).toEqual({ kind: 'start', at: 500 });
  });

  it('begins anew after a minute of health, not a moment earlier', () => {
    const policy = new RestartPolicy();
    for (const now of [0, 1, 2]) policy.died(now, 0);
    policy.died(100_000, 59_999);
    expect(policy.next(100_000).at - 100_000).toBe(1_600);
    policy.died(200_000, 60_000);
    expect(policy.next(200_000).at - 200_000).toBe(0);
  });

  it('not at all after five deaths within a minute, until the window has passed', () => {
    const policy = new RestartPolicy();
    for (const now of [0, 1_000, 2_000, 3_000]) policy.died(now, 0);
    expect(policy.next(3_000).kind).toBe('start');
    policy.died(59_000, 0);
    expect(policy.next(59_000)).toEqual({ kind: 'refuse', at: 60_000 });
    expect(policy.next(59_999).kind).toBe('refuse');
    // The wait after the fifth death in a row still counts.
    expect(policy.next(60_000)).toEqual({ kind: 'start', at: 65_400 });
    expect(policy.next(70_000)).toEqual({ kind: 'start', at: 70_000 });
  });

  it('refuses again at the next death within the window', () => {
    const policy = new RestartPolicy();
    for (const now of [0, 10_000, 20_000, 30_000, 40_000]) policy.died(now, 0);
    expect(policy.next(61_000).kind).toBe('start');
    policy.died(61_000, 0);
    expect(policy.next(61_000)).toEqual({ kind: 'refuse', at: 70_000 });
  });

  it('never lets more than five starts end in any minute, however the deaths come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20_000 }), { maxLength: 40 }), (lives) => {
        const policy = new RestartPolicy();
        const deaths: number[] = [];
        let now = 0;
        for (const life of lives) {
          let verdict = policy.next(now);
          while (verdict.kind === 'refuse') verdict = policy.next(verdict.at);
          now = verdict.at + life;
          policy.died(now, life);
          deaths.push(now);
          expect(deaths.filter((death) => now - death < 60_000).length).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});
