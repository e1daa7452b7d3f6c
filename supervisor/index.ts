/**
 * The only door of the supervisor: everything that a caller may use, and nothing else.
 * Also published as `@skill-mcp/server/supervisor`.
 */
export { SupervisorClosed, SupervisorLost, SupervisorRefusal } from './client/errors.js';
export type { RunRequest, RunResult, SupervisorOptions, SupervisorStatus, Tail } from './client/options.js';
export { LIMITS, TOOL_LIMITS } from './client/options.js';
export { Supervisor } from './client/supervisor.js';
export type { Fence, FenceLevel, FenceReport, FenceRequest, Limits, RefusalCode } from './protocol.js';
export { MAX_ARGUMENT_BYTES, RUN_ID_VARIABLE } from './protocol.js';
