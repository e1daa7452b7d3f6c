import { Operation } from '../../registry/operation.js';
import type { ToolCall } from '../tool.js';

/** The call of a tool as one operation of the registry: cancelled with it, reporting to who asked for progress. */
export function beginOperation({ signal, progress }: ToolCall): Operation {
  if (progress === undefined) return new Operation(signal);
  return new Operation(signal, ({ done, total, message }) => progress({ progress: done, total, message }));
}
