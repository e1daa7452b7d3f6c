/**
 * Something the caller can act on: it becomes a tool result with `isError`, one sanitised line.
 * `code`, where there is one, is the line's first word (TOKEN_INVALID, PLAN_CHANGED, …).
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  /** What to do about it. */
  readonly hint: string | undefined;
  readonly code: string | undefined;
  /** Compact JSON that ends the line, for a program to read; escaped by whoever makes it, never cut. */
  readonly attachment: string | undefined;

  constructor(message: string, options: { hint?: string; code?: string; attachment?: string } = {}) {
    super(message);
    this.hint = options.hint;
    this.code = options.code;
    this.attachment = options.attachment;
  }
}
