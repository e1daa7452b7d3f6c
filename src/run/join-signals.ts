/**
 * Runs `work` with a signal that fires as soon as one of `signals` does. Unlike AbortSignal.any it leaves nothing
 * behind on a signal that lives as long as the process.
 */
export async function withJoinedSignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = new AbortController();
  const done = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason);
    signal.addEventListener('abort', () => joined.abort(signal.reason), { signal: done.signal });
  }
  try {
    return await work(joined.signal);
  } finally {
    done.abort();
  }
}
