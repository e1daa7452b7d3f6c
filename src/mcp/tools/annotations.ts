import type { ToolAnnotations } from '@modelcontextprotocol/server';

/** Reads the skills on this machine and changes nothing. */
export const READ_ONLY: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

/** Replaces what others read elsewhere; the same call again changes nothing more. */
export const PUBLISHES: ToolAnnotations = Object.freeze({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
});

/** Runs somebody else's code: whether it changes anything cannot be known, so it counts as if it did. */
export const RUNS_CODE: ToolAnnotations = Object.freeze({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
});

/** Changes nothing here, but may ask a service elsewhere. */
export const READS_WORLD: ToolAnnotations = Object.freeze({ ...READ_ONLY, openWorldHint: true });

/** Changes which skills there are, with what others published. */
export const CHANGES_CATALOG: ToolAnnotations = Object.freeze({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
});
