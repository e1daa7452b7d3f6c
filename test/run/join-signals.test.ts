import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { withJoinedSignal } from '../../src/run/join-signals.js';

describe('withJoinedSignal', () => {
  it('fires with the first signal, or at once', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    await withJoinedSignal([first.signal, second.signal], async (signal) => {
      expect(signal.aborted).toBe(false);
      second.abort(new Error('second'));
      expect(signal.reason).toMatchObject({ message: 'second' });
    });
    await withJoinedSignal([first.signal, second.signal], async (signal) => {
      expect(signal.aborted).toBe(true);
    });
  });

  it('leaves no listener behind, whatever happens', async () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    await expect(
      withJoinedSignal([signal], () => {
        expect(listeners()).toBe(1);
        return Promise.reject(new Error('failed'));
      }),
    ).rejects.toThrow('failed');
    expect(listeners()).toBe(0);
  });
});
