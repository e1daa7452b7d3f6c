/** The only place in which a program is started. */
import { openSync } from 'node:fs';
import { Socket } from 'node:net';
import { execa } from 'execa';

/** How a program ended. Both null: it ended, but nobody could tell how. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** With it stdin is a pipe that brings these bytes; without it /dev/null. */
  readonly stdin: Buffer | undefined;
  /** 2, or 3 where a wrapper keeps descriptor 2 for its own words. */
  readonly stderrSlot: 2 | 3;
  /** Descriptors that would be inherited; each gets /dev/null instead. */
  readonly blockedSlots: readonly number[];
}

export interface Program {
  readonly pid: number;
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** The wrapper's own stderr, when the program's is another one. */
  readonly diagnostics: Socket | undefined;
  /** Settles when the process has ended; pipes may still be open. */
  readonly exited: Promise<Exit>;
  /** Closes our ends of all pipes. */
  destroyStreams(): void;
}

export class SpawnFailure extends Error {
  override readonly name = 'SpawnFailure';
}

const FIRST_FURTHER_SLOT = 3;

let devNull: number | undefined;

/** Starts a program in a session and group of its own. Throws SpawnFailure. */
export async function spawnProgram(command: Command): Promise<Program> {
  const subprocess = startSubprocess(command);
  const exited = new Promise<Exit>((resolve) => {
    subprocess.once('exit', (code, signal) => resolve({ code, signal }));
  });
  subprocess.on('error', () => {}); // told by the missing pid; a later one (a failed kill) is of no interest
  if (subprocess.pid === undefined) throw new SpawnFailure(describeFailure(await subprocess));
  const streams = subprocess.stdio as unknown[]; // the typings know five slots only
  const stdin = subprocess.stdin;
  stdin?.on('error', () => {}); // a program need not read its stdin
  stdin?.end(command.stdin);
  const stdout = asSocket(streams[1]);
  const stderr = asSocket(streams[command.stderrSlot]);
  const diagnostics = command.stderrSlot === 2 ? undefined : asSocket(streams[2]);
  const all = [stdout, stderr, diagnostics];
  for (const stream of all) stream?.on('error', () => {});
  return {
    pid: subprocess.pid,
    stdout,
    stderr,
    diagnostics,
    exited,
    destroyStreams: () => {
      stdin?.destroy();
      for (const stream of all) stream?.destroy();
    },
  };
}

function startSubprocess(command: Command) {
  try {
    return execa(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      extendEnv: false,
      detached: true,
      stdio: layOutSlots(command),
      buffer: false,
      reject: false,
      stripFinalNewline: false,
      cleanup: false,
    });
  } catch (error) {
    throw new SpawnFailure(error instanceof Error ? firstLine(error.message) : 'unknown reason');
  }
}

/** Any descriptor may stand in a further slot; the typings of execa know only those below 3. */
type Slot = 'pipe' | 'ignore' | 0;

/** One entry for each descriptor of the program, from 0 up. */
function layOutSlots(command: Command): ['pipe' | 'ignore', 'pipe', 'pipe', ...Slot[]] {
  const highest = Math.max(command.stderrSlot, ...command.blockedSlots);
  const further: Slot[] = [];
  for (let slot = FIRST_FURTHER_SLOT; slot <= highest; slot += 1) {
    if (slot === command.stderrSlot) further.push('pipe');
    // Here "ignore" means: leave as it is. What must not be inherited has to be replaced.
    else further.push(command.blockedSlots.includes(slot) ? openDevNull() : 'ignore');
  }
  return [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...further];
}

function openDevNull(): Slot {
  devNull ??= openSync('/dev/null', 'r+');
  return devNull as Slot;
}

function asSocket(stream: unknown): Socket {
  if (stream instanceof Socket) return stream;
  throw new TypeError('a pipe of a program is no socket');
}

function describeFailure(outcome: {
  code?: string | undefined;
  originalMessage?: string | undefined;
}): string {
  return firstLine(outcome.originalMessage ?? outcome.code ?? 'unknown reason');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}

/** Standard output of a short helper program of the system, or undefined when it fails within 2 s. */
export async function readOutputOf(file: string, args: readonly string[]): Promise<string | undefined> {
  const outcome = await execa(file, args, {
    extendEnv: false,
    env: { LC_ALL: 'C' },
    reject: false,
    stdin: 'ignore',
    stderr: 'ignore',
    timeout: 2000,
  });
  return outcome.failed ? undefined : outcome.stdout;
}
