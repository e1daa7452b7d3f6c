/**
 * The only door of the supervisor: everything that a caller may use, and nothing else.
 * Also published as `@skill-mcp/server/supervisor`.
 */
import type { SupervisorOptions } from './client/options.js';
import { Supervisor as SupervisorClient } from './client/supervisor.js';

export { SupervisorClosed, SupervisorLost, SupervisorRefusal } from './client/errors.js';
export type { RunRequest, RunResult, SupervisorOptions, SupervisorStatus, Tail } from './client/options.js';
export { LIMITS, TOOL_LIMITS } from './client/options.js';
export type {
  Fence,
  FenceLevel,
  FenceOptions,
  FenceReport,
  FenceRequest,
  Hardening,
  Limits,
  Network,
  RefusalCode,
  ResourceLimits,
} from './protocol.js';
export { MAX_ARGUMENT_BYTES, RUN_ID_VARIABLE } from './protocol.js';

/** Runs programs in a separate, supervised process. `options.env` defaults to this process's environment. */
export class Supervisor extends SupervisorClient {
  constructor(options: SupervisorOptions = {}) {
    super({ ...options, env: options.env ?? process.env });
  }
}
