import type { Problem } from './problem.js';

/** One file of a bundle. */
export interface BundleFile {
  /** Relative to the skill's directory, with `/`. */
  readonly path: string;
  /** Bytes on the disk. */
  readonly size: number;
}

/** One entry of `mcp-host.run`: what the author proposes; nothing in it is an authorization. */
export interface DeclaredScript {
  /** Path relative to the skill's directory. */
  readonly script: string;
  /** Name out of the closed set of interpreters, as written. */
  readonly interpreter: string;
  /** Wall-clock budget, ms; default 60,000, clamped to 300,000. */
  readonly timeoutMs: number;
  /** Names of the variables that the script asks for. */
  readonly env: readonly string[];
}

/** A declared script that cannot run as the skill is. */
export interface MissingScript {
  readonly script: string;
  readonly reason: string;
  /** As written; absent where the entry names none. */
  readonly interpreter?: string;
}

/** The `mcp-host:` block of a SKILL.md, as far as it could be read. */
export interface Declaration {
  /** Only entries that are well-formed and whose script was there at the scan; the others are in `missingScripts`. */
  readonly run: readonly DeclaredScript[];
  /** Hosts that the author says the skill reaches. */
  readonly egress: readonly string[];
}

/** A directory with a SKILL.md, as the last scan saw it. Bodies and file contents are read when asked for. */
export interface Skill {
  /** The directory's name under NFC: the only identity a skill has. */
  readonly name: string;
  /** `name` of the frontmatter where it differs; served nowhere, but a failed load suggests it. */
  readonly frontmatterName?: string;
  /** Whole, as the author wrote it. */
  readonly description?: string;
  readonly whenToUse?: string;
  readonly disableModelInvocation: boolean;
  /** The configured root that it came from, absolute; the source's id where a source brought it. */
  readonly source: string;
  /** Id of the source that brought it; such a skill is read-only, none of its scripts runs. */
  readonly sourceId?: string;
  /** Absolute real directory: what relative references start from. */
  readonly directory: string;
  /** Sorted, SKILL.md included; dot files, links and special files are not in it. */
  readonly files: readonly BundleFile[];
  /** Sum of the files' sizes. */
  readonly bytes: number;
  /** Links inside the bundle that stay inside it (readable, not listed). */
  readonly insideLinks: number;
  readonly declaration: Declaration;
  /** Declared scripts that can never run as the skill is: not in the bundle, against the path rule, ill-formed entry. */
  readonly missingScripts: readonly MissingScript[];
}

/** What reading one SKILL.md gave: a skill or not, and what there is to say about it. */
export interface ReadSkill {
  readonly skill?: Skill;
  readonly problems: readonly Problem[];
}
