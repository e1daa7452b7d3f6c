import { isAbsolute } from 'node:path';
import {
  type RunResult,
  Supervisor,
  SupervisorClosed,
  SupervisorLost,
  SupervisorRefusal,
  TOOL_LIMITS,
} from '../../supervisor/index.js';
import { Refusal } from '../errors/refusal.js';

/** One call of git, gh or a configured command. */
export interface ToolCommand {
  /** What messages call it: `git`, `gh`, or the id of a source. */
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: an allowlist of the tool's own, never ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array | string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** How a call ended by itself: any exit code counts. Both streams are whole. */
export interface ToolOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Runs tools through a supervisor of their own, so that the front starts no process and a long script blocks no sync. */
export class ToolRunner {
  readonly #supervisor: Supervisor;

  /** Tools always run at `portable`: in a user namespace ssh refuses its own configuration. */
  constructor(options: { env: Readonly<Record<string, string | undefined>>; entry?: string }) {
    const { env, entry } = options;
    const limits = { ...TOOL_LIMITS };
    this.#supervisor = new Supervisor({
      limits,
      fence: 'portable',
      env,
      ...(entry !== undefined && { entry }),
    });
  }

  /** Throws Refusal when the tool cannot be started, overstays its time, floods, or its outcome is unknown. */
  async run(command: ToolCommand): Promise<ToolOutcome> {
    const { name, ...request } = command;
    if (!isAbsolute(command.file)) throw new Error(`the path of ${name} must be absolute`);
    let result: RunResult;
    try {
      result = await this.#supervisor.run(request);
    } catch (error) {
      if (error instanceof SupervisorRefusal)
        throw new Refusal(`${name} could not be started: ${error.message}`);
      if (error instanceof SupervisorClosed)
        throw new Refusal(`${name} was ended: the program that asked for it is ending`);
      if (error instanceof SupervisorLost)
        throw new Refusal(`${name} was lost on the way: its outcome is unknown`);
      throw error;
    }
    if (result.cancelled) throw new Refusal(`${name} was cancelled`);
    if (result.timedOut)
      throw new Refusal(`${name} did not end within ${command.timeoutMs / 1000} s and was ended`);
    if (result.truncated.stdout || result.truncated.stderr) {
      throw new Refusal(`${name} printed more than ${TOOL_LIMITS.streamBytes} bytes`);
    }
    return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  }

  /** Ends every call and the supervisor. */
  close(graceMs?: number): Promise<void> {
    return this.#supervisor.close(graceMs === undefined ? {} : { graceMs });
  }
}
