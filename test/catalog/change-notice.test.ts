import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ChangeNotice } from '../../src/catalog/change-notice.js';

/** A notice and how often each of its listeners heard. */
function listen(listeners: number) {
  const notice = new ChangeNotice();
  const heard = Array.from({ length: listeners }, () => 0);
  const leave = heard.map((_, index) =>
    notice.add(() => {
      heard[index] = (heard[index] ?? 0) + 1;
    }),
  );
  return { notice, heard, leave };
}

describe('a notice of changes', () => {
  it('reaches every listener once for each burst', async () => {
    const { notice, heard } = listen(2);
    for (let burst = 1; burst <= 2; burst++) {
      for (let change = 0; change < 10; change++) notice.announce();
      for (let tries = 0; tries < 100 && heard[0] !== burst; tries++) await sleep(50);
      expect(heard).toEqual([burst, burst]);
    }
    await sleep(300);
    expect(heard).toEqual([2, 2]);
  });

  it('does not wait for the end of a burst that has none', async () => {
    const { notice, heard } = listen(1);
    const endMs = performance.now() + 20_000;
    while (heard[0] === 0 && performance.now() < endMs) {
      notice.announce();
      await sleep(20);
    }
    expect(heard).toEqual([1]);
  }, 30_000);

  it('does not reach those who left, nor anybody after the end', async () => {
    const { notice, heard, leave } = listen(2);
    leave[0]?.();
    expect(notice.hasListeners).toBe(true);
    notice.announce();
    await sleep(400);
    expect(heard).toEqual([0, 1]);
    notice.announce();
    notice.close();
    await sleep(400);
    expect(heard).toEqual([0, 1]);
    expect(notice.hasListeners).toBe(false);
  });
});
