import type { z } from 'zod';
import {
  type Fence,
  type FinishedMessage,
  type Limits,
  type Network,
  type RefusalCode,
  RUN_ID_VARIABLE,
  type RunMessage,
} from '../protocol.js';
import { Capture } from './capture.js';
import { settlesWithin, startDeadline } from './deadline.js';
import { drain } from './drain.js';
import type { ChosenFence } from './fence/choose.js';
import type { Subject, Work } from './fence/fence.js';
import { takesPermissions } from './fence/node-permission.js';
import { identify } from './process-table.js';
import { findPinFault } from './script-pin.js';
import { type Exit, type Program, SpawnFailure, spawnProgram } from './spawn.js';
import { followTail, type TailReport } from './tail.js';
import { terminate } from './terminate.js';
import type { Termination } from './termination.js';

/** A program that resists even SIGKILL holds a result back no longer than the grace and this, ms. */
const HARD_LIMIT_MS = 2000;

/** Bytes of the wrapper's own words that are kept. */
const WORDS_BYTES = 4096;

/** The wrapper is dead when its words are read; its pipe ends at once, or somebody holds it, ms. */
const WORDS_LIMIT_MS = 50;

export interface Job {
  readonly request: RunMessage;
  readonly stdin: Buffer;
  readonly limits: Limits;
  readonly fence: ChosenFence;
  readonly blockedSlots: readonly number[];
  /** PATH of this process. */
  readonly searchPath: string;
  readonly termination: Termination;
  /** Processes exist that must not be left behind, whatever happens to us. */
  onSpawned(subject: Subject): void;
  /** All is known that a successor would need. */
  onStarted(subject: Subject): void;
  onTail(tail: TailReport): void;
  freeSlot(): void;
}

type FinishedFields = Omit<z.infer<typeof FinishedMessage>, 'v' | 'incarnation' | 'type' | 'id'>;

export type Outcome =
  | { readonly type: 'finished'; readonly fields: FinishedFields; readonly body: Buffer }
  | { readonly type: 'refused'; readonly code: RefusalCode; readonly message: string };

/** One program, from its slot to its result. Never throws for anything that a program does. */
export async function run(job: Job): Promise<Outcome> {
  const { request, fence, termination } = job;
  const deadline = startDeadline(request.timeoutMs);
  void deadline.passed.then(() => termination.request('deadline'));
  try {
    const pinFault = request.script && (await findPinFault(request.script));
    if (pinFault !== undefined) return refuse('changed', pinFault);
    const startedAt = performance.now();
    const program = await spawnProgram({
      ...fence.containment.wrap(describeWork(request, fence)),
      cwd: request.cwd,
      env: buildEnvironment(request),
      stdin: request.stdin ? job.stdin : undefined,
      stderrSlot: fence.containment.stderrSlot,
      blockedSlots: job.blockedSlots,
    });
    try {
      return await supervise(job, program, startedAt);
    } finally {
      setImmediate(program.destroyStreams); // after the result is on its way
    }
  } catch (error) {
    if (!(error instanceof SpawnFailure)) throw error;
    await fence.containment.endLeft?.(request.runId);
    return refuse('spawn-failed', error.message);
  } finally {
    deadline.clear();
    job.freeSlot();
  }
}

/** spawned -> started -> race(exit, wish to end it) -> terminate -> sweep -> drain -> result. */
async function supervise(job: Job, program: Program, startedAt: number): Promise<Outcome> {
  const { request, limits, termination } = job;
  const { containment } = job.fence;
  const stdout = new Capture(program.stdout, limits.streamBytes, request.tail);
  const stderr = new Capture(program.stderr, limits.streamBytes, request.tail);
  const words = program.diagnostics && new Capture(program.diagnostics, WORDS_BYTES, false);
  let ended: { exit: Exit; at: number } | undefined;
  const exited = program.exited.then((exit) => {
    ended = { exit, at: performance.now() };
  });
  const interrupted = Promise.race([exited, termination.wanted]);

  const leader = identify(program.pid);
  const { runId } = request;
  job.onSpawned({ runId, leader });
  const init = await containment.findInit(leader, interrupted);
  const subject: Subject = { runId, leader, init };
  job.onStarted(subject);

  const tail = request.tail ? followTail(stdout, stderr, job.onTail) : undefined;
  await interrupted;
  tail?.stop();
  const reason = ended === undefined ? termination.reason : undefined;
  const { graceMs } = termination;
  const { searchPath } = job;
  const hardEnd = performance.now() + graceMs + HARD_LIMIT_MS;
  const ladder = { subject, containment, exited, graceMs, searchPath };
  const forced = reason !== undefined && (await terminate(ladder));
  const end = ended ?? { exit: { code: null, signal: 'SIGKILL' } satisfies Exit, at: performance.now() };

  if (words !== undefined) await settlesWithin(words.ended, WORDS_LIMIT_MS);
  const said = words?.result.kept.toString('utf8') ?? '';
  const survivors = await containment.clear(subject, performance.now() - startedAt, said);
  await drain([stdout, stderr], hardEnd - performance.now());
  const output = { stdout: stdout.result, stderr: stderr.result };
  const failure = reason === undefined && containment.readFailure(end.exit, said, output.stderr, subject);
  if (failure) return refuse('spawn-failed', failure);

  const { code, signal } = containment.readExit(end.exit, forced);
  return {
    type: 'finished',
    body: Buffer.concat([output.stdout.kept, output.stderr.kept]),
    fields: {
      exitCode: code,
      signal,
      timedOut: reason === 'deadline',
      cancelled: reason !== undefined && reason !== 'deadline',
      timeoutMs: request.timeoutMs,
      durationMs: end.at - startedAt,
      keptBytes: { stdout: output.stdout.kept.byteLength, stderr: output.stderr.kept.byteLength },
      totalBytes: { stdout: output.stdout.total, stderr: output.stderr.total },
      truncated: { stdout: isTruncated(output.stdout), stderr: isTruncated(output.stderr) },
      env: Object.keys(buildEnvironment(request)).sort(),
      fence: describeFence(request, job.fence),
      survivors: { killed: survivors.killed, possible: survivors.possible || ended === undefined },
      scriptChanged: request.script !== undefined && (await findPinFault(request.script)) !== undefined,
    },
  };
}

function describeWork(request: RunMessage, fence: ChosenFence): Work {
  const { runId, file, args, cwd, env, script } = request;
  return { runId, file, args, cwd, env, root: script?.root, network: networkOf(request, fence) };
}

/** What this run had of all that is in force. */
function describeFence(request: RunMessage, fence: ChosenFence): Fence {
  const { refusal: _, hardening = [], ...level } = fence.report;
  const work = { file: request.file, root: request.script?.root };
  const had = hardening.filter(
    (name) => name !== 'node-permission' || takesPermissions(work, process.execPath),
  );
  return {
    ...level,
    network: networkOf(request, fence),
    ...(had.length > 0 && { hardening: had }),
  };
}

const networkOf = (request: RunMessage, fence: ChosenFence): Network =>
  request.network ?? fence.report.network;

/** The mark comes first: it is what a sweep looks for. */
function buildEnvironment(request: RunMessage): Record<string, string> {
  return { [RUN_ID_VARIABLE]: request.runId, ...request.env };
}

function isTruncated(captured: { kept: Buffer; total: number }): boolean {
  return captured.total > captured.kept.byteLength;
}

function refuse(code: RefusalCode, message: string): Outcome {
  return { type: 'refused', code, message };
}
