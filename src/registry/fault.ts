import { Refusal } from '../errors/refusal.js';

/**
 * What kind of failure a call ended with. `unreachable`: no HTTP answer; `server`: a 5xx or an answer that cannot be
 * read; `rate-limit`: GitHub asks to wait longer than a caller would; `empty`: the repository has no commit yet.
 */
export type FaultKind =
  | 'unreachable'
  | 'server'
  | 'rate-limit'
  | 'no-login'
  | 'forbidden'
  | 'missing'
  | 'empty'
  | 'rejected'
  | 'cancelled';

/** A call of GitHub that did not give what was asked for, in words for the user. */
export class RegistryFault extends Refusal {
  override readonly name = 'RegistryFault';

  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly details: { readonly hint?: string; readonly status?: number; readonly words?: string } = {},
  ) {
    super(message, details.hint === undefined ? {} : { hint: details.hint });
  }
}

/** True where an older copy may stand in: GitHub said nothing about the skill itself. */
export function isOutage(error: unknown): error is RegistryFault {
  return (
    error instanceof RegistryFault &&
    (error.kind === 'unreachable' || error.kind === 'server' || error.kind === 'rate-limit')
  );
}

/** True for a fault of one of these kinds. */
export function isFault(error: unknown, ...kinds: readonly FaultKind[]): error is RegistryFault {
  return error instanceof RegistryFault && kinds.includes(error.kind);
}
