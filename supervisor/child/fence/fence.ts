import type { FenceLevel, Network, ProcessIdentity } from '../../protocol.js';
import type { Captured } from '../capture.js';
import type { Exit } from '../spawn.js';

/** What is known of the processes of one run. */
export interface Subject {
  readonly runId: string;
  readonly leader: ProcessIdentity;
  /** Process 1 of the run's namespace, by its number on the host. */
  readonly init?: ProcessIdentity | undefined;
}

/** What is to be run, as a level needs to know it. */
export interface Work {
  readonly runId: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The real directory of a pinned script. */
  readonly root?: string | undefined;
  readonly network: Network;
}

export interface Survivors {
  readonly killed: number;
  readonly possible: boolean;
}

/** How a level contains a program: how it is started, ended, and how its end is read. */
export interface Containment {
  readonly level: FenceLevel;
  readonly stderrSlot: 2 | 3;
  /** Variables that this level cannot hand on unchanged. */
  readonly unavailableVariables: ReadonlySet<string>;
  wrap(work: Work): { file: string; args: string[] };
  /** Finds the namespace's init, if there is to be one; gives up when the program has ended. */
  findInit(leader: ProcessIdentity, exited: Promise<unknown>): Promise<ProcessIdentity | undefined>;
  /** SIGTERM to the program and those who stayed with it; a stopped one is woken to see it. */
  askToEnd(subject: Subject): void;
  /** SIGKILL to everything that is known by number. */
  kill(subject: Subject): void;
  /** Ends what outlived the program. `words`: what the wrapper wrote on its own stderr. */
  clear(subject: Subject, ageMs: number, words: string): Promise<Survivors>;
  /** Ends what a run of a dead predecessor left in places that only this layer knows. */
  endLeft?(runId: string): Promise<void>;
  /** Turns the wrapper's exit into the program's; `forced`: it took our SIGKILL. */
  readExit(exit: Exit, forced: boolean): Exit;
  /** Why the program never ran, when the wrapper says so. */
  readFailure(exit: Exit, words: string, stderr: Captured, subject: Subject): string | undefined;
}
