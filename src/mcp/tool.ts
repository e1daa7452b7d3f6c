import type { Tool } from '@modelcontextprotocol/server';

/** What a tool may use of the request that called it. */
export interface ToolCall {
  /** Aborted when the client cancels or is gone. */
  readonly signal: AbortSignal;
  /** Sends a progress notification; absent when the client gave no token. */
  readonly progress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** A tool as a self-describing value: its definition is data, its handler is made once at composition. */
export interface ToolDefinition {
  /** Exactly what tools/list answers for it: flat object schemas, all four annotations, an output schema. */
  readonly definition: Tool;
  /**
   * Takes the arguments as they came. Returns the structured answer; throws a `Refusal` for anything that the
   * caller can act on.
   */
  readonly call: (args: unknown, call: ToolCall) => Promise<Record<string, unknown>>;
  /** The text block for people and models; without it the block is the answer as JSON. */
  readonly text?: (answer: Record<string, unknown>) => string;
  /** Fields emptied in structuredContent when the answer is over 256 KiB. */
  readonly bulkyFields: readonly string[];
}
