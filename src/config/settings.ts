import type { FenceLevel, FenceOptions, FenceRequest } from '../../supervisor/index.js';
import type { RootsFrom } from '../catalog/catalog.js';
import type { Problem } from '../skill/problem.js';
import type { RegistrySettings } from './registry-settings.js';

/** How a run is approved: see the README's chapter on confirmation. */
export type ConfirmMode = 'flag' | 'token' | 'ask' | 'refuse';

/** Names of the groups of tools that exist. */
export const TOOLSETS = ['serve', 'find', 'registry'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Everything that the variables and the command line decide, read once at start into one frozen value. */
export interface Settings {
  /** Absolute, each real directory once. A root that cannot be resolved to a path is in `problems` instead. */
  readonly roots: readonly string[];
  readonly rootsFrom: RootsFrom;
  /** Any of the host's marker variables is present, blank or not. */
  readonly hosted: boolean;
  /** The raw text of MCP_SKILL_RUN; undefined when unset or blank. */
  readonly grantText: string | undefined;
  /** Interpreter name → absolute path; `node` is always there. A Map, so prototype names are no interpreters. */
  readonly interpreters: ReadonlyMap<string, string>;
  readonly confirmMode: ConfirmMode;
  /** Life of a confirmation token, ms. */
  readonly confirmTtlMs: number;
  /** ≥ 32 bytes; undefined: a random key for this process. */
  readonly confirmSecret: string | undefined;
  readonly fence: FenceRequest;
  readonly minFence: FenceLevel | undefined;
  /** What is wanted on top of the level. */
  readonly fenceOptions: FenceOptions;
  /** A fence variable that could not be understood: every run is refused with this sentence. */
  readonly fenceFault: string | undefined;
  /** Between SIGTERM and SIGKILL, ms. */
  readonly killGraceMs: number;
  readonly strictYaml: boolean;
  /** Directory levels below a root that are scanned; 1 = the three layouts. */
  readonly depth: number;
  readonly maxSkills: number;
  readonly allowUnscrubbed: boolean;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Groups of tools that are on. */
  readonly toolsets: readonly Toolset[];
  /** What the registry's variables say; only read where that group is on. */
  readonly registry?: RegistrySettings;
  /** All variables of the process: scripts are handed single ones of them, never the lot. */
  readonly variables: ReadonlyMap<string, string>;
  /** What was wrong with a variable; shown by skill_list, never stops the start. */
  readonly problems: readonly Problem[];
}
