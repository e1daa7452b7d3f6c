/**
 * The wire contract between the two halves of the supervisor: the client in the caller's process and the
 * child that starts and ends programs. This file can be read alone; both halves parse every message with it.
 *
 * One frame = u32be header length, u32be body length, header (JSON, UTF-8), body (raw bytes).
 * The body carries what must not pay for JSON: stdin one way, stdout followed by stderr the other.
 */
import * as z from 'zod';
import {
  absolutePath,
  Fence,
  FenceLevel,
  FenceOptions,
  FenceReport,
  FenceRequest,
  Network,
} from './fence-schema.js';

export * from './fence-schema.js';

/** Both halves must agree exactly; a different number is a protocol fault. */
export const PROTOCOL_VERSION = 1;

/** Number of the descriptor on which the channel arrives in the child. */
export const CHANNEL_FD = 3;

/** Largest JSON header of one frame, bytes, both ways. */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** Longest single argument or `NAME=value`, bytes: Linux refuses more (MAX_ARG_STRLEN less its NUL). */
export const MAX_ARGUMENT_BYTES = 131_071;

/** Name of the variable that marks every process of one run; its value is the run's id. */
export const RUN_ID_VARIABLE = 'SKILL_MCP_RUN_ID';

const text = z.string();
const count = z.number().int().nonnegative();
/** 64 bits in decimal digits: more than a number of JSON carries exactly. */
const fileNumber = z.string().regex(/^\d{1,20}$/);
const pid = z.number().int().positive();
const envelope = { v: z.literal(PROTOCOL_VERSION), incarnation: z.string().min(1).max(64) };

/** Limits of one Supervisor instance; they travel in `hello`, the child keeps them. */
export const Limits = z.strictObject({
  /** Programs that may run at once. */
  slots: z.number().int().min(1).max(64),
  /** A run beyond the slots is refused at once, or waits its turn in order of arrival. */
  whenFull: z.enum(['refuse', 'wait']),
  /** Bytes kept of each of stdout and stderr; the rest is counted and dropped. */
  streamBytes: count,
  /** Bytes of stdin that a run may bring. */
  stdinBytes: count,
  /** Longest timeout a run may ask for, ms. */
  maxTimeoutMs: count,
  /** Between SIGTERM and SIGKILL, ms. */
  graceMs: count.max(60_000),
  /** Variable names that no pinned script may be handed, exact names and prefixes. */
  reservedNames: z.array(text),
  reservedPrefixes: z.array(text),
});
export type Limits = z.infer<typeof Limits>;

/** Identity of a process: a pid alone may have been given to somebody else since. */
export const ProcessIdentity = z.strictObject({
  pid,
  /** Field 22 of /proc/PID/stat (clock ticks after boot); null where there is no /proc. */
  startTime: count.nullable(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** A run whose supervisor died: what its successor must end before it takes work. */
export const Orphan = z.strictObject({
  runId: z.string().min(1),
  leader: ProcessIdentity.optional(),
  init: ProcessIdentity.optional(),
});
export type Orphan = z.infer<typeof Orphan>;

/** The script that was approved: exactly this file, with exactly these bytes. */
export const ScriptPin = z.strictObject({
  /** Real absolute path; the file that is opened and hashed immediately before the spawn. */
  path: absolutePath,
  /** Real absolute directory that must hold `path`. */
  root: absolutePath,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  dev: fileNumber,
  ino: fileNumber,
});
export type ScriptPin = z.infer<typeof ScriptPin>;

export const HelloMessage = z.strictObject({
  ...envelope,
  type: z.literal('hello'),
  limits: Limits,
  fence: FenceRequest,
  minFence: FenceLevel.optional(),
  fenceOptions: FenceOptions.optional(),
  orphans: z.array(Orphan),
});

export const RunMessage = z.strictObject({
  ...envelope,
  type: z.literal('run'),
  id: count,
  /** Value of SKILL_MCP_RUN_ID: the cookie by which stray processes are found. */
  runId: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/),
  file: absolutePath,
  args: z.array(text),
  cwd: absolutePath,
  /** The whole environment of the program, but for the cookie. */
  env: z.record(text, text),
  timeoutMs: z.number().int().positive(),
  script: ScriptPin.optional(),
  /** Refuse when the level in force is another one than the approved. */
  fence: FenceLevel.optional(),
  /** Network that was approved; the default is what the level gives: `none` at `sandbox`, `host` below. */
  network: Network.optional(),
  /** Send `tail` messages while it runs. */
  tail: z.boolean(),
  /** With a body: it is stdin. Without: stdin is /dev/null. */
  stdin: z.boolean(),
});
export type RunMessage = z.infer<typeof RunMessage>;

export const CancelMessage = z.strictObject({ ...envelope, type: z.literal('cancel'), id: count });
export const PingMessage = z.strictObject({ ...envelope, type: z.literal('ping'), n: count });
export const ByeMessage = z.strictObject({ ...envelope, type: z.literal('bye'), graceMs: count });

export const ToChild = z.discriminatedUnion('type', [
  HelloMessage,
  RunMessage,
  CancelMessage,
  PingMessage,
  ByeMessage,
]);
export type ToChild = z.infer<typeof ToChild>;

export const ReadyMessage = z.strictObject({
  ...envelope,
  type: z.literal('ready'),
  pid,
  fence: FenceReport,
});

export const StartedMessage = z.strictObject({
  ...envelope,
  type: z.literal('started'),
  id: count,
  /** The spawned process: leader of the run's session and group. */
  leader: ProcessIdentity,
  /** The namespace's init, by its host pid; absent at `portable`. */
  init: ProcessIdentity.optional(),
});

export const TailMessage = z.strictObject({
  ...envelope,
  type: z.literal('tail'),
  id: count,
  /** Last non-empty line of output so far, raw, at most 1,024 characters. */
  line: z.string().max(1024),
  stdoutBytes: count,
  stderrBytes: count,
});

const perStream = <T extends z.ZodType>(value: T) => z.strictObject({ stdout: value, stderr: value });

/** A run that took place, however it ended. The kept bytes follow in the body: stdout, then stderr. */
export const FinishedMessage = z.strictObject({
  ...envelope,
  type: z.literal('finished'),
  id: count,
  exitCode: z.number().int().nullable(),
  signal: text.nullable(),
  timedOut: z.boolean(),
  cancelled: z.boolean(),
  timeoutMs: count,
  durationMs: z.number().nonnegative(),
  keptBytes: perStream(count),
  totalBytes: perStream(count),
  truncated: perStream(z.boolean()),
  /** Sorted names of every variable that the program saw, the cookie included. */
  env: z.array(text),
  fence: Fence,
  survivors: z.strictObject({
    /** Processes that outlived the program and were ended. */
    killed: count,
    /** True where this level cannot prove that none is left. */
    possible: z.boolean(),
  }),
  scriptChanged: z.boolean(),
});
export type FinishedMessage = z.infer<typeof FinishedMessage>;

export const RefusalCode = z.enum([
  'busy',
  'invalid',
  'changed',
  'fence-unavailable',
  'spawn-failed',
  'shutting-down',
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** A run that never took place: no process of the program is left, and mostly none was started. */
export const RefusedMessage = z.strictObject({
  ...envelope,
  type: z.literal('refused'),
  id: count,
  code: RefusalCode,
  message: text,
});

export const PongMessage = z.strictObject({ ...envelope, type: z.literal('pong'), n: count });

export const FromChild = z.discriminatedUnion('type', [
  ReadyMessage,
  StartedMessage,
  TailMessage,
  FinishedMessage,
  RefusedMessage,
  PongMessage,
]);
export type FromChild = z.infer<typeof FromChild>;

/** Largest body the child may receive / send under these limits, bytes. */
export const maxBodyToChild = (limits: Pick<Limits, 'stdinBytes'>): number => limits.stdinBytes;
export const maxBodyFromChild = (limits: Pick<Limits, 'streamBytes'>): number => 2 * limits.streamBytes;
