/** The part of the wire contract that speaks of containment: what is asked for, what is in force. */
import * as z from 'zod';

/** An absolute path of this platform or the other one. */
export const absolutePath = z
  .string()
  .startsWith('/')
  .or(z.string().regex(/^[A-Za-z]:[\\/]/));

const count = z.number().int().positive();

/** Levels of containment, weakest first. `unknown` is only ever reported, never demanded. */
export const FenceLevel = z.enum(['portable', 'namespace', 'sandbox']);
export type FenceLevel = z.infer<typeof FenceLevel>;

/** What the caller wants: `auto` takes the strongest level that this machine gives. */
export const FenceRequest = z.enum(['auto', 'portable', 'namespace', 'sandbox']);
export type FenceRequest = z.infer<typeof FenceRequest>;

/** What an operator can add to a level. */
export const Hardening = z.enum(['limits', 'run-as', 'cgroup', 'node-permission']);
export type Hardening = z.infer<typeof Hardening>;

/** Whether a program shares the machine's network or has none. */
export const Network = z.enum(['host', 'none']);
export type Network = z.infer<typeof Network>;

/** The level in force, as it appears in reports and results alike. */
export const Fence = z.strictObject({
  level: z.enum(['portable', 'namespace', 'sandbox', 'unknown']),
  /** `none` only at `sandbox`; in a report it is what a run gets that does not ask for the host's. */
  network: Network,
  /** In force on top of the level; absent when there is nothing. */
  hardening: z.array(Hardening).optional(),
  /** Why the level is not a stronger one, or why it is unknown. */
  reason: z.string().optional(),
});
export type Fence = z.infer<typeof Fence>;

/** `ready` reports it once per supervisor: the level, and why runs are refused when a demand cannot be met. */
export const FenceReport = Fence.extend({ refusal: z.string().optional() });
export type FenceReport = z.infer<typeof FenceReport>;

/** Bounds of one program and all that it starts. */
export const ResourceLimits = z.strictObject({
  /** Private memory of each process, bytes. */
  data: count.optional(),
  /** Open descriptors of each process. */
  nofile: count.optional(),
  /** Largest file that can be written, bytes. */
  fsize: count.optional(),
  /** Seconds of processor time of each process. */
  cpu: count.optional(),
  /** Processes of the run's own user. */
  nproc: count.optional(),
  /** Memory of the whole run, bytes; by the control group. */
  memory: count.optional(),
  /** Processes of the whole run; by the control group. */
  pids: count.optional(),
});
export type ResourceLimits = z.infer<typeof ResourceLimits>;

/** What an operator wants on top of a level. Anything that cannot be had refuses every run. */
export const FenceOptions = z.strictObject({
  /** Folders that a sandbox shows, without and with the right to write. */
  readable: z.array(absolutePath),
  writable: z.array(absolutePath),
  limits: ResourceLimits.optional(),
  /** A user that nothing else runs as. */
  runAs: z.strictObject({ uid: count, gid: count }).optional(),
  /** A writable directory of the control group tree, version 2. */
  cgroup: absolutePath.optional(),
  /** Node's own permission model, for pinned scripts that this process's Node runs. */
  nodePermission: z.boolean().optional(),
});
export type FenceOptions = z.infer<typeof FenceOptions>;

/** Nothing on top of the level. */
export const NO_FENCE_OPTIONS: FenceOptions = Object.freeze({ readable: [], writable: [] });
