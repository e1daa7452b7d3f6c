import type { Log } from '../log.js';
import type { StdioTransport } from './transport.js';

/** Answers to requests that were already read may take this long when the client is gone, ms. */
const ANSWER_MS = 1_000;

/** The process is gone by then whatever hangs, ms, 0.4 s before the end of what is promised; the supervisor ends by itself when its channel closes. */
const DEADLINE_MS = 1_600;

/** Nobody tells a process that its parent died; asking is cheap. Ms. */
const PARENT_POLL_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals, parent and exit of this process. */
export type HostProcess = Pick<NodeJS.Process, 'on' | 'exit' | 'ppid' | 'stderr'>;

export interface ProcessLifeOptions {
  readonly host: HostProcess;
  readonly transport: StdioTransport;
  readonly log: Log;
  /** Ends the running script and refuses further ones. */
  readonly stopRuns: () => void;
  /** Resolves with the exit code when the start turns out to be in vain, and stays pending otherwise. */
  readonly failedStart?: Promise<number>;
  /** Ends connection and app; the runs were told to end `stoppedMs` ago. */
  readonly close: (stoppedMs: number) => Promise<void>;
}

/**
 * Ends the process, once and in bounded time, for every reason that there is: the client closed a stream, a signal,
 * the parent's death (exit code 0), or a mistake of ours that nothing caught (1).
 */
export function watchProcess(options: ProcessLifeOptions): void {
  const { host, transport, log } = options;
  let isEnding = false;
  const end = (reason: string, exitCode: number, answerMs: number): void => {
    if (isEnding) return;
    isEnding = true;
    log.info(`ending: ${reason}`);
    setTimeout(() => host.exit(exitCode), DEADLINE_MS);
    void windDown(options, answerMs)
      .catch((error: unknown) => log.error(`while ending: ${String(error)}`))
      .finally(() => host.exit(exitCode));
  };

  void transport.inputEnded.then(() => end('the client closed stdin', 0, ANSWER_MS));
  void options.failedStart?.then((exitCode) => end('the start failed', exitCode, ANSWER_MS));
  void transport.outputFailed.then(() => end('the client does not read stdout any more', 0, 0));
  // Without a listener a closed stderr is an uncaught error, and logging that is the next one.
  host.stderr.on('error', () => end('stderr is closed', 0, ANSWER_MS));
  for (const signal of SIGNALS) host.on(signal, () => end(signal, 0, ANSWER_MS));
  // Node would answer it by opening a debugger, and with it every variable, to whoever can send a signal.
  host.on('SIGUSR1', () => log.warn('ignored SIGUSR1: no debugger is opened'));
  watchParent(host, () => end('the parent process is gone', 0, 0));
  host.on('uncaughtException', (error) => {
    if (!isEnding)
      log.error(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    end('a fault that nothing caught', 1, 0);
  });
  // A forgotten promise says nothing about the state of the server: it is reported, and the session goes on.
  host.on('unhandledRejection', (reason) => {
    log.error(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`);
  });
}

async function windDown(options: ProcessLifeOptions, answerMs: number): Promise<void> {
  const startedMs = performance.now();
  options.stopRuns();
  await options.transport.answered(answerMs);
  // Side by side: a client that does not read must not keep the supervisor from being told.
  await Promise.all([options.close(performance.now() - startedMs), options.transport.flushed()]);
}

function watchParent(host: HostProcess, onGone: () => void): void {
  const parent = host.ppid;
  const timer = setInterval(() => {
    if (host.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_POLL_MS);
  timer.unref();
}
