const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'not a directory'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'symlinks in a circle'],
  ['ENAMETOOLONG', 'name too long'],
  ['EMFILE', 'too many open files'],
  ['EIO', 'input/output error'],
]);

/** The errno of a failed system call such as `ENOENT`, undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Errno and what it means, without the path and the call that Node puts into its message. */
export function describeErrno(error: unknown): string {
  const code = errnoOf(error);
  if (code === undefined) return 'unknown error';
  const explanation = EXPLANATIONS.get(code);
  return explanation === undefined ? code : `${code}, ${explanation}`;
}

/** True when the error says that there is nothing at that path, as opposed to something that cannot be read. */
export function isAbsent(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
