import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import {
  type Skill as PublishedSkill,
  SkillCatalogError,
  skillEntry,
} from '@modelcontextprotocol/server/ext/skills';
import { locateInside } from '../skill/open-inside.js';
import { readCapped } from '../skill/read-capped.js';
import { refuseFile } from '../skill/refuse-file.js';
import type { Skill } from '../skill/skill.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { fillsPage, measure } from './list-page.js';
import { MAX_RESOURCE_BYTES } from './read-resource.js';
import { writeResourceUri } from './resource-uri.js';

/** Digests kept over all skills, about 250 bytes each; beyond, those that were not asked for longest are dropped. */
const MAX_KEPT_DIGESTS = 20_000;

/** Why a skill is not published, in a phrase. */
export interface ManifestFault {
  readonly fault: string;
}

interface Digest {
  /** Changes with every write to the file. */
  readonly stamp: string;
  readonly digest: string;
  readonly size: number;
}

interface Kept {
  readonly digests: ReadonlyMap<string, Digest>;
  readonly frontmatter: PublishedSkill['frontmatter'];
}

/** Makes manifests from the bytes on the disk, and reads again only what has changed since. */
export class SkillManifests {
  readonly #kept = new Map<string, Kept>();
  #digests = 0;
  #bytesRead = 0;

  /** Bytes of files read so far: what a caller bounds its work by. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** The entry of a skill with the digest of every file as it is now, or why it has none. */
  async read(skill: Skill): Promise<PublishedSkill | ManifestFault> {
    const kept = this.#kept.get(skill.directory);
    const digests = new Map<string, Digest>();
    let frontmatter: PublishedSkill['frontmatter'] | undefined;
    // One after the other: a file is read whole.
    for (const { path } of skill.files) {
      const known = await reuse(skill, path, kept?.digests.get(path));
      if (known !== undefined) {
        digests.set(path, known);
        if (path === SKILL_MD) frontmatter = kept?.frontmatter;
        continue;
      }
      const file = await this.#readWhole(skill, path);
      if ('fault' in file) return file;
      digests.set(path, file);
      if (path !== SKILL_MD) continue;
      const head = await readHead(skill, file.bytes);
      if ('fault' in head) return head;
      frontmatter = head.frontmatter;
    }
    if (frontmatter === undefined) return { fault: 'its SKILL.md is not listed' };
    this.#keep(skill.directory, { digests: stripBytes(digests), frontmatter });
    const entry = toEntry(skill, digests, frontmatter);
    return fillsPage(measure(entry)) ? { fault: 'its manifest does not fit on a page of 1 MiB' } : entry;
  }

  /** Looks at SKILL.md alone; undefined when nothing in it speaks against publishing. */
  async judgeHead(skill: Skill): Promise<string | undefined> {
    const file = await this.#readWhole(skill, SKILL_MD);
    if ('fault' in file) return file.fault;
    const head = await readHead(skill, file.bytes);
    return 'fault' in head ? head.fault : undefined;
  }

  async #readWhole(skill: Skill, path: string): Promise<(Digest & { bytes: Buffer }) | ManifestFault> {
    const read = await readCapped(skill.directory, path, MAX_RESOURCE_BYTES);
    if ('fault' in read) return { fault: refuseFile(skill, path, read).message };
    const { bytes, size, truncated, stat } = read;
    this.#bytesRead += bytes.length;
    if (truncated) return { fault: `${path} is ${size} bytes, a resource is at most ${MAX_RESOURCE_BYTES}` };
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    return { stamp: stampOf(stat), digest, size, bytes };
  }

  #keep(directory: string, kept: Kept): void {
    this.#drop(directory);
    this.#kept.set(directory, kept);
    this.#digests += kept.digests.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#digests <= MAX_KEPT_DIGESTS || oldest === directory) break;
      this.#drop(oldest);
    }
  }

  #drop(directory: string): void {
    this.#digests -= this.#kept.get(directory)?.digests.size ?? 0;
    this.#kept.delete(directory);
  }
}

async function reuse(skill: Skill, path: string, kept: Digest | undefined): Promise<Digest | undefined> {
  if (kept === undefined) return undefined;
  const located = await locateInside(skill.directory, path);
  return 'fault' in located || stampOf(located.stat) !== kept.stamp ? undefined : kept;
}

/** The rules of the format and of the extension, as clients check them: by the SDK's own reader. */
async function readHead(
  skill: Skill,
  bytes: Buffer,
): Promise<Pick<PublishedSkill, 'frontmatter'> | ManifestFault> {
  try {
    return await skillEntry(skill.name, { [SKILL_MD]: bytes });
  } catch (error) {
    if (!(error instanceof SkillCatalogError)) throw error;
    return { fault: error.problems.map(({ message }) => message).join('; ') };
  }
}

function toEntry(
  skill: Skill,
  digests: ReadonlyMap<string, Digest>,
  frontmatter: PublishedSkill['frontmatter'],
): PublishedSkill {
  const resources = [...digests].map(([path, { digest, size }]) => ({
    uri: writeResourceUri(skill.name, path),
    digest,
    size,
  }));
  resources.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  return { uri: writeResourceUri(skill.name, SKILL_MD), frontmatter, resources };
}

function stripBytes(digests: ReadonlyMap<string, Digest>): ReadonlyMap<string, Digest> {
  return new Map([...digests].map(([path, { stamp, digest, size }]) => [path, { stamp, digest, size }]));
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
