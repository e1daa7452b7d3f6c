import { hash } from 'node:crypto';
import { join, sep } from 'node:path';
import { type BundleListing, walkBundle } from './bundle.js';
import type { Candidate } from './candidate.js';
import { followLink } from './follow-link.js';
import { makeProblem } from './make-problem.js';
import { type FileFault, locateInside } from './open-inside.js';
import type { Problem } from './problem.js';
import { readCapped } from './read-capped.js';
import { readListed } from './read-listed.js';
import type { DeclaredScript, MissingScript, ReadSkill, Skill } from './skill.js';
import {
  MAX_SKILL_MD_BYTES,
  type ParseOptions,
  parseSkillMd,
  SKILL_MD,
  type SkillMd,
  type SkillMdFault,
} from './skill-md.js';
import { StampList } from './stamp-list.js';

/** What a directory held, and what that rests on. */
export interface SkillReading extends ReadSkill {
  /** SKILL.md first, then the bundle. */
  readonly stamps: StampList;
  /** How many of the stamps are about SKILL.md. */
  readonly headLength: number;
  /** Digest of SKILL.md as far as it was read: its stamp may not tell two writings of one moment apart. */
  readonly digest?: string;
}

/** How a skill is read. `now`, in ms since 1970, is for those who compare the stamps later. */
export interface ReadOptions extends ParseOptions {
  readonly now?: () => number;
}

/** Reads what a found directory holds: a skill, or the reason why it is none. Never rejects. */
export async function readSkill(candidate: Candidate, options: ReadOptions): Promise<SkillReading> {
  const { directory, listing } = candidate;
  const stamps = new StampList(directory + sep, options.now ?? Date.now);
  const found = await openSkillMd(candidate, stamps);
  const seen = {
    stamps,
    headLength: stamps.length,
    ...('bytes' in found && { digest: hash('sha1', found.bytes, 'base64') }),
  };
  const read = 'fault' in found ? { file: found } : await parseSkillMd(found, options);
  if (!('frontmatter' in read)) {
    stamps.look('');
    return { problems: [await explainFault(candidate, read)], ...seen };
  }
  const sizes = new Map([[SKILL_MD, read.size]]);
  const bundle = await walkBundle(directory, { listing, sizes, stamps });
  const { run, missing } = await splitMissing(directory, read.frontmatter.declaration.declaration.run);
  const problems = [
    ...reportSkillMd(candidate, read),
    ...missing.map(({ script, reason }) =>
      makeProblem(join(directory, script), 'declared-script-missing', `declared script ${reason}`),
    ),
    ...bundle.problems,
  ];
  return { skill: toSkill(candidate, read, bundle, run, missing), problems, ...seen };
}

/** The bytes of SKILL.md: the short way when its directory was listed just now, else the careful one. */
async function openSkillMd({ directory, listing }: Candidate, stamps: StampList) {
  const isRegular = listing?.entries.some(({ name, kind }) => name === SKILL_MD && kind === 'file');
  const listed = isRegular ? await readListed(directory, SKILL_MD, MAX_SKILL_MD_BYTES) : undefined;
  if (listed === undefined) {
    stamps.look(SKILL_MD);
    return readCapped(directory, SKILL_MD, MAX_SKILL_MD_BYTES);
  }
  stamps.add(SKILL_MD, listed.stats);
  return listed;
}

function toSkill(
  { name, source, directory }: Candidate,
  { frontmatter }: SkillMd,
  { files, bytes, insideLinks }: BundleListing,
  run: readonly DeclaredScript[],
  missing: Skill['missingScripts'],
): Skill {
  const { declaration, description, whenToUse, disableModelInvocation } = frontmatter;
  const otherName = isOtherName(frontmatter.name, name) ? frontmatter.name : undefined;
  return Object.freeze({
    name,
    ...(otherName === undefined ? {} : { frontmatterName: otherName }),
    ...(description === undefined ? {} : { description }),
    ...(whenToUse === undefined ? {} : { whenToUse }),
    disableModelInvocation,
    source,
    directory,
    files,
    bytes,
    insideLinks,
    declaration: { run, egress: declaration.declaration.egress },
    missingScripts: [...declaration.refused, ...missing],
  });
}

function reportSkillMd({ name, directory }: Candidate, { frontmatter, size, truncated }: SkillMd): Problem[] {
  const path = join(directory, SKILL_MD);
  const problems = frontmatter.findings.map(({ reason, detail }) => makeProblem(path, reason, detail));
  if (isOtherName(frontmatter.name, name)) {
    const detail = `frontmatter says "${frontmatter.name}"; the skill is served as "${name}", its directory's name`;
    problems.push(makeProblem(path, 'name-mismatch', detail));
  }
  if (truncated) {
    const detail = `SKILL.md has ${size} bytes; the first ${MAX_SKILL_MD_BYTES} are served`;
    problems.push(makeProblem(path, 'file-limit', detail));
  }
  return problems;
}

function isOtherName(written: string | undefined, name: string): boolean {
  return written !== undefined && written.trim().normalize('NFC') !== name;
}

async function splitMissing(directory: string, declared: readonly DeclaredScript[]) {
  const run: DeclaredScript[] = [];
  const missing: MissingScript[] = [];
  for (const entry of declared) {
    const located = await locateInside(directory, entry.script);
    if ('fault' in located) {
      const { script, interpreter } = entry;
      missing.push({ script, reason: explainMissing(located), interpreter });
    } else run.push(entry);
  }
  return { run, missing };
}

function explainMissing(file: FileFault): string {
  switch (file.fault) {
    case 'absent':
    case 'changed':
      return 'is not in the bundle';
    case 'outside':
      return 'resolves outside the skill';
    case 'too-long':
      return 'has a path too long for this file system';
    case 'unreadable':
      return `cannot be read (${file.errno})`;
    case 'not-regular':
      return `is not a regular file (${file.kind})`;
  }
}

async function explainFault({ directory }: Candidate, read: SkillMdFault): Promise<Problem> {
  const path = join(directory, SKILL_MD);
  if (!('file' in read)) return makeProblem(path, read.reason, read.fault);
  const { file } = read;
  switch (file.fault) {
    case 'outside': {
      const { target } = await followLink(path);
      return makeProblem(path, 'symlink-escape', `SKILL.md is a symlink out of its skill -> ${target}`);
    }
    case 'absent': {
      const link = await followLink(path);
      if ('broken' in link && link.target !== '?') return makeProblem(path, 'symlink-escape', link.broken);
      return makeProblem(path, 'no-skill-md', 'SKILL.md went away during the scan');
    }
    case 'unreadable':
      return makeProblem(path, 'unreadable-skill-md', file.errno);
    case 'not-regular':
      return makeProblem(path, 'unreadable-skill-md', `SKILL.md is not a regular file (${file.kind})`);
    case 'changed':
    case 'too-long':
      return makeProblem(path, 'unreadable-skill-md', 'SKILL.md kept changing while it was read');
  }
}
