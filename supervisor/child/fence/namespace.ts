import { constants } from 'node:os';
import type { ProcessIdentity } from '../../protocol.js';
import { INIT_SCRIPT, NAMESPACE_OPTIONS, SURVIVOR_MARK } from '../../start-command.js';
import type { Captured } from '../capture.js';
import { pause, settlesWithin } from '../deadline.js';
import { identify, isAlive, readInitBelow } from '../process-table.js';
import { signalGroup, signalProcess } from '../signal-group.js';
import type { Exit } from '../spawn.js';
import { sweep } from '../sweep.js';
import type { Containment, Subject, Survivors } from './fence.js';

/** Absolute paths of the programs that make a namespace. */
export interface NamespaceTools {
  readonly setpriv: string;
  readonly unshare: string;
  /** Needed only where /bin/sh adds variables that `unset` cannot take away. */
  readonly env: string | undefined;
  /** Root keeps capabilities inside its namespace unless they are dropped. */
  readonly isRoot: boolean;
}

/** How often the init is looked for; it appears a few ms after the spawn, ms. */
const INIT_POLL_MS = 1;

/** A killed init and all below it are gone within a few ms; later than this something is badly wrong, ms. */
const GONE_LIMIT_MS = 500;

/** A shell reports "ended by signal N" as 128 + N. */
const SIGNAL_BASE = 128;
const HIGHEST_REPORTED = 159;

/** A wrapper that could not execute the program. */
const EXECUTION_FAILURES: ReadonlySet<number | null> = new Set([126, 127]);

/** The wrapper speaks of itself: it failed before there was an init. */
const WRAPPER_WORDS = /^(setpriv|unshare): /;
const INNER_FAILURE = /^setpriv: failed to execute [^\n]*$/;
const MESSAGE_BYTES = 4096;

/** Names that a shell sets or resets by itself: no program behind it sees the given value. */
const SHELL_VARIABLES = new Set(
  'PWD OLDPWD SHLVL _ IFS PPID OPTIND LINENO PS1 PS2 PS4 SHELLOPTS BASHOPTS BASH_VERSINFO UID EUID'.split(
    ' ',
  ),
);

// Of two names for one number the first is Node's own: SIGABRT, not SIGIOT; SIGIO, not SIGPOLL.
const signalNames = new Map<number, string>(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** A process namespace with a /proc of its own: when its first process dies, the kernel ends all others. */
export function createNamespace(tools: NamespaceTools): Containment {
  const prefix = [
    ...NAMESPACE_OPTIONS.outerSetpriv,
    tools.unshare,
    ...NAMESPACE_OPTIONS.unshare,
    ...['/bin/sh', '-c', INIT_SCRIPT, 'init'],
    ...(tools.isRoot ? [tools.setpriv, ...NAMESPACE_OPTIONS.innerSetpriv] : []),
    ...(tools.env === undefined ? [] : [tools.env, '-u', '_']),
  ];
  return {
    level: 'namespace',
    stderrSlot: 3,
    unavailableVariables: SHELL_VARIABLES,
    wrap: (file, args) => ({ file: tools.setpriv, args: [...prefix, file, ...args] }),
    findInit,
    kill: (subject) => {
      // A run that is killed at birth may have got its init only after we looked.
      const init = subject.init ?? identifyInit(subject.leader);
      if (init !== undefined) signalProcess(init, 'SIGKILL');
      signalGroup(subject.leader, 'SIGKILL');
    },
    clear,
    readExit,
    readFailure,
  };
}

async function findInit(
  leader: ProcessIdentity,
  exited: Promise<unknown>,
): Promise<ProcessIdentity | undefined> {
  for (;;) {
    const init = identifyInit(leader);
    if (init !== undefined) return init;
    if (await settlesWithin(exited, INIT_POLL_MS)) return undefined;
  }
}

function identifyInit(leader: ProcessIdentity): ProcessIdentity | undefined {
  const pid = readInitBelow(leader.pid);
  return pid === undefined ? undefined : identify(pid);
}

async function clear(subject: Subject, ageMs: number, words: string): Promise<Survivors> {
  const { init, leader, runId } = subject;
  if (init === undefined) {
    // Too quick to be seen, or killed on the way: the mark in the environment is visible from the host too.
    const { killed, clean } = await sweep({ runId, leader, ownsGroup: true, ageMs });
    return { killed, possible: !clean };
  }
  const end = performance.now() + GONE_LIMIT_MS;
  while (isAlive(init)) {
    if (performance.now() > end) return { killed: 0, possible: true };
    signalProcess(init, 'SIGKILL');
    await pause(INIT_POLL_MS);
  }
  const count = words.split('\n').find((line) => line.startsWith(SURVIVOR_MARK));
  return { killed: Number.parseInt(count?.slice(SURVIVOR_MARK.length) ?? '', 10) || 0, possible: false };
}

function readExit(exit: Exit, forced: boolean): Exit {
  // The wrapper's own status after its init was killed says nothing about the program.
  if (forced) return { code: null, signal: 'SIGKILL' };
  if (exit.code === null || exit.code <= SIGNAL_BASE || exit.code > HIGHEST_REPORTED) return exit;
  return { code: null, signal: signalNames.get(exit.code - SIGNAL_BASE) ?? `SIG${exit.code - SIGNAL_BASE}` };
}

function readFailure(exit: Exit, words: string, stderr: Captured, subject: Subject): string | undefined {
  if (exit.code === 0) return undefined;
  const text = words.split('\n').find((line) => line !== '' && !line.startsWith(SURVIVOR_MARK));
  if (EXECUTION_FAILURES.has(exit.code)) return text ?? readInnerFailure(stderr);
  return subject.init === undefined && text && WRAPPER_WORDS.test(text) ? text : undefined;
}

/** For root, the program that drops the capabilities is the one that cannot execute ours. */
function readInnerFailure(stderr: Captured): string | undefined {
  const text = stderr.total > MESSAGE_BYTES ? '' : stderr.kept.toString('utf8').trim();
  return INNER_FAILURE.test(text) ? text : undefined;
}
