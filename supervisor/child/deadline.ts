/** Node turns a longer delay into 1 ms, ms. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export interface Deadline {
  readonly passed: Promise<void>;
  clear(): void;
}

/** A promise that is fulfilled after so many ms, unless it is cleared first. */
export function startDeadline(ms: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_DELAY_MS));
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** Whether a promise settles within so many ms. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const deadline = startDeadline(ms);
  try {
    return await Promise.race([promise.then(() => true), deadline.passed.then(() => false)]);
  } finally {
    deadline.clear();
  }
}

/** Waits so many ms. */
export function pause(ms: number): Promise<void> {
  return startDeadline(ms).passed;
}
