import { LIMITS, Supervisor, type SupervisorStatus } from '../../supervisor/index.js';
import { RESERVED_NAMES, RESERVED_PREFIXES } from '../config/reserved-env.js';
import type { Settings } from '../config/settings.js';

type ScriptSettings = Pick<Settings, 'fence' | 'minFence' | 'fenceOptions' | 'killGraceMs' | 'variables'>;

/** The one supervisor for scripts: made when first needed, because most sessions never run anything. */
export class ScriptSupervisor {
  readonly #settings: ScriptSettings;
  readonly #onLog: (line: string) => void;
  #supervisor: Supervisor | undefined;

  constructor(settings: ScriptSettings, onLog: (line: string) => void) {
    this.#settings = settings;
    this.#onLog = onLog;
  }

  /** The supervisor, made now if need be; it starts its child by itself when it has work. */
  get(): Supervisor {
    const { fence, minFence, fenceOptions, killGraceMs, variables } = this.#settings;
    this.#supervisor ??= new Supervisor({
      limits: {
        ...LIMITS,
        graceMs: killGraceMs,
        reservedNames: [...RESERVED_NAMES],
        // The run's own id is the one name of ours that a script sees; the supervisor sets it.
        reservedPrefixes: [...RESERVED_PREFIXES],
      },
      fence,
      fenceOptions,
      env: Object.fromEntries(variables),
      onLog: this.#onLog,
      ...(minFence !== undefined && { minFence }),
    });
    return this.#supervisor;
  }

  /** What skill_list shows; does not start anything. */
  status(): SupervisorStatus {
    return this.#supervisor?.status() ?? { state: 'idle', restarts: 0 };
  }

  /** Ends every run and the child, at most `graceMs` after SIGTERM by SIGKILL. */
  async close(graceMs: number): Promise<void> {
    await this.#supervisor?.close({ graceMs });
  }
}
