/** A command line that cannot be understood: exit code 2, and the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
