import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandSpec, GithubSpec, LocalSpec, SourceSpec } from '../config/source-spec.js';
import { describeErrno } from '../errors/errno.js';
import { makeProblem } from '../skill/make-problem.js';
import type { Problem } from '../skill/problem.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { type FoundSkills, findSkills } from './find-skills.js';
import type { Generation } from './generations.js';
import { belongsTo, isAsked } from './github.js';
import { locateLocal } from './local.js';
import { readFound, readSource } from './read-source.js';
import type { SourceSkills } from './source.js';
import { placeGenerations } from './sync.js';

/** A walk that takes longer than this is not made for every call, ms. */
const CHEAP_WALK_MS = 50;

/** An expensive walk may take this part of the time at most. */
const WALK_SHARE = 10;

/** Where sources are read from. */
export interface ReadOptions {
  /** Absolute directory of all sources' caches. */
  readonly cache: string;
  readonly home: string | undefined;
  readonly strictYaml: boolean;
}

/** One source as it lies on the disk, read again only when that has changed. Never touches the network. */
export class CachedSource {
  readonly #spec: SourceSpec;
  readonly #options: ReadOptions;
  #mark: string | undefined;
  #skills: SourceSkills | undefined;
  /** By the process's clock, ms: a local source that is large is not walked again before. */
  #restUntil = 0;
  #reading: Promise<SourceSkills> | undefined;

  constructor(spec: SourceSpec, options: ReadOptions) {
    this.#spec = spec;
    this.#options = options;
  }

  /** The same object as before while nothing has changed. Never rejects for what lies on the disk. */
  read(): Promise<SourceSkills> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<SourceSkills> {
    const spec = this.#spec;
    return spec.kind === 'local' ? this.#readLocal(spec) : this.#readSynced(spec);
  }

  async #readSynced(spec: GithubSpec | CommandSpec): Promise<SourceSkills> {
    const generations = placeGenerations(this.#options.cache, spec.id);
    const mark = await generations.mark();
    if (this.#skills !== undefined && mark === this.#mark) return this.#skills;
    const current = await generations.current();
    const isOwn =
      current !== undefined &&
      (spec.kind === 'cli' ? current.record.kind === 'cli' : belongsTo(current.record, spec));
    const skills = isOwn
      ? await this.#readGeneration(spec, current)
      : reportUnsynced(spec, generations.directory);
    return this.#keep(mark, skills);
  }

  async #readGeneration(spec: GithubSpec | CommandSpec, { base, record }: Generation): Promise<SourceSkills> {
    const { id } = spec;
    const read = await readSource({ id, base, paths: record.paths, trusted: false }, this.#parsing);
    const warnings = record.warnings.map((warning) =>
      makeProblem(
        base,
        warning.startsWith('file-limit: ') ? 'file-limit' : 'source',
        warning.replace(/^file-limit: /, ''),
      ),
    );
    const problems = [...read.problems, ...warnings];
    if (spec.kind === 'cli' || isAsked(record, spec)) return { ...read, problems };
    const fault = `the source ${id} has changed in the config since its last sync; sync it`;
    return { ...read, problems: [...problems, makeProblem(base, 'source', fault)], fault };
  }

  async #readLocal(spec: LocalSpec): Promise<SourceSkills> {
    const begun = performance.now();
    if (this.#skills !== undefined && begun < this.#restUntil) return this.#skills;
    const tree = locateLocal(spec, this.#options.home);
    const found = await findSkills(tree);
    const mark = await markLocal(found);
    const now = performance.now();
    this.#restUntil = now - begun > CHEAP_WALK_MS ? now + (now - begun) * WALK_SHARE : 0;
    if (this.#skills !== undefined && mark === this.#mark) return this.#skills;
    const read = await readFound(spec.id, found, this.#parsing);
    const unreadable = await stat(tree.base).then(
      (stats) => (stats.isDirectory() ? undefined : 'not a directory'),
      describeErrno,
    );
    const fault = unreadable === undefined ? undefined : `the source ${spec.id}: ${tree.base}: ${unreadable}`;
    return this.#keep(mark, { ...read, ...(fault !== undefined && { fault }) });
  }

  get #parsing() {
    return { strict: this.#options.strictYaml };
  }

  #keep(mark: string, skills: SourceSkills): SourceSkills {
    this.#mark = mark;
    this.#skills = skills;
    return skills;
  }
}

function reportUnsynced({ id }: SourceSpec, directory: string): SourceSkills {
  const fault = `the source ${id} has not been synced yet`;
  const problem: Problem = makeProblem(directory, 'source', `${fault}: skill-mcp sources sync ${id}`);
  return { id, skills: [], problems: [problem], fault };
}

/** Changes with every file that comes, goes or is written where skills are read from. */
async function markLocal({ candidates, problems }: FoundSkills): Promise<string> {
  const marks = await Promise.all(
    candidates.map(async ({ path, directory }) => [
      path,
      await markFile(directory),
      await markFile(join(directory, SKILL_MD)),
    ]),
  );
  return JSON.stringify([marks, problems]);
}

async function markFile(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(':');
  } catch (error) {
    return describeErrno(error);
  }
}
