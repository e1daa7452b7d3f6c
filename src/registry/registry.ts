import type { RegistryConfig } from '../config/registry-config.js';
import type { RegistrySettings } from '../config/registry-settings.js';
import type { ToolCommand, ToolOutcome } from '../process/tool-command.js';
import { BlobStore } from './blob-store.js';
import { CachePaths } from './cache-paths.js';
import { deleteSkill, type FolderChange, rollbackSkill } from './change-folder.js';
import { Connection } from './connection.js';
import { CopyStore } from './copy-store.js';
import { findGh } from './find-gh.js';
import { Gh } from './gh.js';
import { GitData } from './git-data.js';
import { GitHubRepository } from './github.js';
import { listSkills, type SkillListing } from './list-skills.js';
import { readLocalFolder } from './local-folder.js';
import type { Operation } from './operation.js';
import { type Payload, readInlineFiles } from './payload.js';
import { type PublishParts, type PublishRequest, type PublishResult, publishSkill } from './publish-skill.js';
import { PublishTurn } from './publish-turn.js';
import { type FetchedSkill, readSkill } from './read-skill.js';

/** Lines about what the registry does; never a token, never a file's content. */
export interface RegistryLog {
  info(line: string): void;
  debug(line: string): void;
}

export interface RegistryParts {
  readonly settings: RegistrySettings;
  readonly config: RegistryConfig;
  readonly run: (command: ToolCommand) => Promise<ToolOutcome>;
  readonly log: RegistryLog;
  /** Ms since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** One registry: what the tools and the command line do with it. */
export class Registry {
  readonly config: RegistryConfig;
  readonly paths: CachePaths;
  readonly connection: Connection;
  readonly #settings: RegistrySettings;
  readonly #parts: PublishParts & Parameters<typeof readSkill>[0] & Parameters<typeof listSkills>[0];
  #gh: Promise<string> | undefined;

  constructor({ settings, config, run, log, now, random }: RegistryParts) {
    this.config = config;
    this.#settings = settings;
    const { ghEnv: env, ghTimeoutMs: timeoutMs, cacheDirectory } = settings;
    const gh = new Gh({ run, env, timeoutMs, host: config.host, file: () => this.findGh() });
    const git = new GitData(new GitHubRepository(gh, config.owner, config.repo, now));
    const note = (line: string) => log.info(line);
    this.paths = new CachePaths(cacheDirectory, config.host, config.owner, config.repo);
    this.connection = new Connection(config, git, this.paths, note);
    this.#parts = {
      git,
      paths: this.paths,
      blobs: new BlobStore(this.paths, git, note),
      copies: new CopyStore(this.paths, now, note),
      branch: (operation) => this.connection.branch(operation),
      turn: new PublishTurn(this.paths.turn, { now, random }),
      now,
      random,
      note,
    };
  }

  /** `owner/name`. */
  get name(): string {
    return `${this.config.owner}/${this.config.repo}`;
  }

  /** The absolute path of gh, looked for once. Rejects with GhMissing, and looks again the next time. */
  async findGh(): Promise<string> {
    this.#gh ??= findGh(this.#settings);
    try {
      return await this.#gh;
    } catch (error) {
      this.#gh = undefined;
      throw error;
    }
  }

  list(operation: Operation): Promise<SkillListing> {
    return listSkills(this.#parts, operation);
  }

  get(operation: Operation, name: string, version?: string): Promise<FetchedSkill> {
    return readSkill(this.#parts, operation, name, version);
  }

  publish(operation: Operation, request: PublishRequest): Promise<PublishResult> {
    return publishSkill(this.#parts, operation, request);
  }

  delete(operation: Operation, name: string): Promise<FolderChange> {
    return deleteSkill(this.#parts, operation, name);
  }

  rollback(operation: Operation, name: string, target: string): Promise<FolderChange> {
    return rollbackSkill(this.#parts, operation, name, target);
  }

  /** Throws a Refusal naming the key or the limit. */
  readFiles(files: Readonly<Record<string, unknown>>): Payload {
    return readInlineFiles(files, this.#settings.maxFileBytes);
  }

  /** Throws a Refusal naming the file or the limit. */
  readFolder(folder: string): Promise<Payload> {
    return readLocalFolder(folder, this.#settings.maxFileBytes);
  }

  /** Where a person can look at a skill at a commit. */
  viewUrl(slug: string, commit: string): string {
    return `https://${this.config.host}/${this.name}/tree/${commit.slice(0, 7)}/${encodeURIComponent(slug)}`;
  }
}
