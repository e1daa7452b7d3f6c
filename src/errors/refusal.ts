/**
 * Something the caller can act on: it becomes a tool result with `isError`, one sanitised line.
 * `code`, where there is one, is the line's first word (TOKEN_INVALID, PLAN_CHANGED, …).
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  /** What to do about it. */
  readonly hint: string | undefined;
  readonly code: string | undefined;

  constructor(message: string, options: { hint?: string; code?: string } = {}) {
    super(message);
    this.hint = options.hint;
    this.code = options.code;
  }
}
