import { describe, expect, it } from 'vitest';
import { Turns } from '../../src/catalog/turns.js';

function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

describe('turns', () => {
  it('let others in between slices of work that blocks', async () => {
    const turns = new Turns();
    let rounds = 0;
    let isOver = false;
    const count = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const work = async () => {
      for (let n = 0; n < 10; n++) {
        await turns.take();
        block(3);
      }
    };
    await Promise.all([work(), work(), work()]);
    isOver = true;
    // 90 ms of work in slices of 5 ms and one piece more.
    expect(rounds).toBeGreaterThanOrEqual(8);
  });

  it('cost nothing while the slice lasts', () => {
    const turns = new Turns();
    expect(turns.isOver()).toBe(false);
    block(8);
    expect(turns.isOver()).toBe(true);
  });
});
