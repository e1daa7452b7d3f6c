/** All that the supervisor needs for itself; what a program may see travels in the run's message alone. */
const OWN_VARIABLES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'] as const;

/** Picks the supervisor's own environment; everything else of the caller's stays with the caller. */
export function pickOwnVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own: Record<string, string> = {};
  for (const name of OWN_VARIABLES) {
    const value = env[name];
    if (value !== undefined) own[name] = value;
  }
  return own;
}
