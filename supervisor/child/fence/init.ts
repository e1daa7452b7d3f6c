/** What levels have in common whose programs live below an init of their own. */
import { constants } from 'node:os';
import type { ProcessIdentity } from '../../protocol.js';
import { SURVIVOR_MARK } from '../../start-command.js';
import type { Captured } from '../capture.js';
import { pause, settlesWithin } from '../deadline.js';
import { identify, isAlive, readInitBelow } from '../process-table.js';
import { signalGroup, signalProcess } from '../signal-group.js';
import type { Exit } from '../spawn.js';
import { sweep } from '../sweep.js';
import type { Subject, Survivors } from './fence.js';

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
const WRAPPER_WORDS = /^(setpriv|unshare|bwrap): /;
const INNER_FAILURE = /^(?:setpriv: failed to execute |init: (?:line )?\d+: |env: )[^\n]*$/;
const MESSAGE_BYTES = 4096;

/** Names that a shell sets or resets by itself: no program behind it sees the given value. */
export const SHELL_VARIABLES = new Set(
  'PWD OLDPWD SHLVL _ IFS PPID OPTIND LINENO PS1 PS2 PS4 SHELLOPTS BASHOPTS BASH_VERSINFO UID EUID'.split(
    ' ',
  ),
);

const signalNames = new Map<number, string>(
  // Some numbers have an older name behind the usual one.
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** SIGKILL to the init first: with it the kernel ends everything that it is the first process of. */
export function killInit(subject: Subject): void {
  // A run that is killed at birth may have got its init only after we looked.
  const init = subject.init ?? identifyInit(subject.leader);
  if (init !== undefined) signalProcess(init, 'SIGKILL');
  signalGroup(subject.leader, 'SIGKILL');
}

/** Waits for the init below the wrapper; undefined when the program ended before one was seen. */
export async function findInit(
  leader: ProcessIdentity,
  exited: Promise<unknown>,
): Promise<ProcessIdentity | undefined> {
  for (;;) {
    const init = identifyInit(leader);
    if (init !== undefined) return init;
    if (await settlesWithin(exited, INIT_POLL_MS)) return undefined;
  }
}

/** The init below the wrapper as it is now; undefined while there is none. */
export function identifyInit(leader: ProcessIdentity): ProcessIdentity | undefined {
  const pid = readInitBelow(leader.pid);
  return pid === undefined ? undefined : identify(pid);
}

/** Waits until the kernel has ended the namespace, and reads how many its init counted. */
export async function clear(subject: Subject, ageMs: number, words: string): Promise<Survivors> {
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

/** Undoes the way in which a shell reports signals. */
export function readExit(exit: Exit, forced: boolean): Exit {
  // The wrapper's own status after its init was killed says nothing about the program.
  if (forced) return { code: null, signal: 'SIGKILL' };
  if (exit.code === null || exit.code <= SIGNAL_BASE || exit.code > HIGHEST_REPORTED) return exit;
  return { code: null, signal: signalNames.get(exit.code - SIGNAL_BASE) ?? `SIG${exit.code - SIGNAL_BASE}` };
}

/** Tells a program that failed from one that the wrapper could not start. */
export function readFailure(
  exit: Exit,
  words: string,
  stderr: Captured,
  subject: Subject,
): string | undefined {
  if (exit.code === 0) return undefined;
  const text = words.split('\n').find((line) => line !== '' && !line.startsWith(SURVIVOR_MARK));
  if (EXECUTION_FAILURES.has(exit.code)) return text ?? readInnerFailure(stderr);
  return subject.init === undefined && text && WRAPPER_WORDS.test(text) ? text : undefined;
}

/** Whoever is the last before our program, and cannot execute it, speaks on the program's stderr already. */
function readInnerFailure(stderr: Captured): string | undefined {
  const text = stderr.total > MESSAGE_BYTES ? '' : stderr.kept.toString('utf8').trim();
  return INNER_FAILURE.test(text) ? text : undefined;
}
