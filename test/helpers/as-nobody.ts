/** True where a test can become another user: it runs as root on a system that has users. */
export const canBecomeNobody = process.geteuid?.() === 0;

const NOBODY = 65_534;

/** Runs `work` with the rights of a user who owns nothing; root reads what no mode forbids. */
export async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
