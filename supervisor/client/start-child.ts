import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { CHANNEL_FD } from '../protocol.js';
import { LastLine } from './last-line.js';

/** What to start: a program and its arguments, never a shell line, and its whole environment. */
export interface StartPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a process ended. */
export interface Exit {
  /** By itself, with code 0. */
  readonly clean: boolean;
  readonly text: string;
}

/** A started (or never started) supervisor process, seen from outside. */
export interface Child {
  readonly pid: number | undefined;
  /** Absent when the process could not be started at all. */
  readonly channel: Duplex | undefined;
  /** Resolves once it is gone: reaped, not merely silent. Never rejects. */
  readonly exited: Promise<Exit>;
  /** What it last said on stderr, one short line. */
  lastLine(): string | undefined;
  /** SIGKILL, which ends a stopped process as well, to the process and to its group. */
  kill(): void;
}

/**
 * Starts the supervisor in a session of its own: a Ctrl-C in the caller's terminal is not for it, the channel
 * tells it when the caller is gone. Nothing that is returned here keeps the caller's process alive.
 */
export function startChild(plan: StartPlan): Child {
  let child: ChildProcess;
  try {
    child = spawn(plan.file, plan.args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...plan.env },
      windowsHide: true,
    });
  } catch (error) {
    return neverStarted(error);
  }
  child.unref();
  // Out of descriptors, Node leaves the streams away altogether, whatever the types say.
  const { stderr } = child;
  const slot: unknown = child.stdio?.[CHANNEL_FD];
  const channel = slot instanceof Duplex ? slot : undefined;
  const lastLine = new LastLine();
  unreference(stderr);
  unreference(channel);
  stderr?.on('data', (chunk: Buffer) => lastLine.push(chunk));
  stderr?.on('error', () => {});
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({
        clean: code === 0,
        text: signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`,
      });
    });
    // Without a pid there was no process and there will be no exit.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
  });
  // A process that inherited the pipe may hold it open for ever: give up reading soon after the exit.
  void exited.then(() => setTimeout(() => stderr?.destroy(), STDERR_MS).unref());
  return {
    pid: child.pid,
    channel,
    exited,
    lastLine: () => lastLine.text,
    kill: () => killGroup(child),
  };
}

/** What was written before the exit is in the pipe already; reading it takes a turn of the loop or two. */
const STDERR_MS = 500;

function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  child.kill('SIGKILL');
  if (process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: the group is empty, which is what was wanted.
  }
}

/** Sockets and pipes have it, the stream types do not say so. */
function unreference(stream: object | null | undefined): void {
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}

function neverStarted(error: unknown): Child {
  return {
    pid: undefined,
    channel: undefined,
    exited: Promise.resolve(notStarted(error)),
    lastLine: () => undefined,
    kill: () => {},
  };
}

/** The code alone: the message of a spawn error repeats the command line. */
function notStarted(error: unknown): Exit {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return { clean: false, text: `it could not be started: ${code}` };
}
