import type {
  Fence,
  FenceLevel,
  FenceOptions,
  FenceReport,
  FenceRequest,
  Limits,
  Network,
  ScriptPin,
} from '../protocol.js';

const MIB = 1024 * 1024;

/** Limits for scripts: one at a time, a second one is refused. */
export const LIMITS: Limits = Object.freeze({
  slots: 1,
  whenFull: 'refuse',
  streamBytes: MIB,
  stdinBytes: MIB,
  maxTimeoutMs: 300_000,
  graceMs: 500,
  reservedNames: [],
  reservedPrefixes: [],
});

/** Limits for tools (git, gh, configured commands): eight at a time, further ones wait in order. */
export const TOOL_LIMITS: Limits = Object.freeze({
  ...LIMITS,
  slots: 8,
  whenFull: 'wait',
  streamBytes: 32 * MIB,
  stdinBytes: 16 * MIB,
});

/** How to make a Supervisor. Every field may be left out. */
export interface SupervisorOptions {
  /** Overrides single values of LIMITS. */
  readonly limits?: Partial<Limits>;
  /** Level to contain runs at; default `auto`. */
  readonly fence?: FenceRequest;
  /** Refuse every run below this level. */
  readonly minFence?: FenceLevel;
  /** What is wanted on top of the level; whatever of it cannot be had refuses every run. */
  readonly fenceOptions?: Partial<FenceOptions>;
  /** Where the supervisor's own PATH, HOME, LANG, TZ and TMPDIR come from; default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long one start may take until the child is ready, ms; default 5,000. */
  readonly startTimeoutMs?: number;
  /** The child's program; default: `supervisor-child.js` beside this module. */
  readonly entry?: string;
  /** Told one line on every event worth a log entry (start, death, restart); never holds a value of a variable. */
  readonly onLog?: (line: string) => void;
}

/** One program to run. Paths are absolute; nothing is looked up on PATH and no shell is involved. */
export interface RunRequest {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program (SKILL_MCP_RUN_ID is added); default empty. */
  readonly env?: Readonly<Record<string, string>>;
  /** Bytes for stdin; without it stdin is /dev/null. */
  readonly stdin?: Uint8Array | string;
  /** Wall-clock budget, ms; default 60,000, at most `limits.maxTimeoutMs`. */
  readonly timeoutMs?: number;
  /** The file whose bytes were approved: other bytes at the moment of the spawn, no run (`changed`). */
  readonly script?: ScriptPin;
  /** The level that was approved: another one in force, no run (`fence-unavailable`). */
  readonly fence?: FenceLevel;
  /** Default: what the level gives, `none` at `sandbox` and `host` below; `none` below it is refused. */
  readonly network?: Network;
  /** Aborting it ends the run by the kill ladder; the result then says `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called once the program has been started. */
  readonly onStarted?: () => void;
  /** Called at most twice a second with the last line of output. */
  readonly onTail?: (tail: Tail) => void;
}

export interface Tail {
  readonly line: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

/** How a run ended. Any exit code, signal or timeout is a result, never an exception. */
export interface RunResult {
  readonly runId: string;
  /** Null when a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The first `limits.streamBytes` bytes of each stream, as they came. */
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  /** Bytes that the program wrote, kept or not. */
  readonly totalBytes: { readonly stdout: number; readonly stderr: number };
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly timeoutMs: number;
  readonly durationMs: number;
  /** Sorted names of all variables that the program saw. */
  readonly env: readonly string[];
  readonly fence: Fence;
  readonly survivors: { readonly killed: number; readonly possible: boolean };
  /** The pinned script's bytes were different after the run. */
  readonly scriptChanged: boolean;
}

/** `idle`: not started yet; `refusing`: died too often, runs are refused until a minute has passed. */
export interface SupervisorStatus {
  readonly state: 'idle' | 'starting' | 'ready' | 'backing-off' | 'refusing';
  /** Starts after the first one. */
  readonly restarts: number;
  readonly lastError?: string;
  /** Known once a supervisor has been ready. */
  readonly fence?: FenceReport;
}
