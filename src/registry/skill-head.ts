import { Refusal } from '../errors/refusal.js';
import { decodeSkillMd } from '../skill/decode-skill-md.js';
import { readFrontmatter } from '../skill/frontmatter.js';
import { splitFrontmatter } from '../skill/split-frontmatter.js';
import { quote, slugify } from './slug.js';

/** What the frontmatter of a SKILL.md says, as far as a registry is concerned. */
export interface SkillHead {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** The whole block as plain values. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reads the frontmatter, or says in one line why it cannot be read. */
export function readSkillHead(bytes: Buffer): SkillHead | { readonly fault: string } {
  const decoded = decodeSkillMd(bytes);
  if ('fault' in decoded) return decoded;
  const split = splitFrontmatter(decoded.text);
  if ('fault' in split) return { fault: split.fault };
  const read = readFrontmatter(split.block, { strict: false });
  if ('fault' in read) return { fault: read.fault };
  return { name: read.name, description: read.description, values: read.values };
}

/**
 * The frontmatter's name of a skill that may be published as `name`. Throws a Refusal when it does not parse, has no
 * description, or names another skill.
 */
export function checkSkillHead(bytes: Buffer, name: string): string {
  const head = readSkillHead(bytes);
  if ('fault' in head) throw new Refusal(`SKILL.md: ${head.fault}`);
  const slug = slugify(name);
  if (head.name === undefined) {
    throw new Refusal('SKILL.md: the frontmatter has no name', { hint: `add name: ${slug}` });
  }
  if (head.description === undefined) {
    throw new Refusal('SKILL.md: the frontmatter has no description', {
      hint: 'say in one or two sentences what the skill does and when to use it',
    });
  }
  // A folder of the older form may call itself by its own name; whether it is there is known after the first calls.
  if (head.name !== slug && head.name !== name) {
    throw new Refusal(
      `SKILL.md says name: ${quote(head.name)}, but the skill is published as ${quote(slug)}`,
      {
        hint: `write name: ${slug}, or publish under the name that stands there`,
      },
    );
  }
  return head.name;
}

/** Throws a Refusal when the frontmatter's name does not belong to the folder that was chosen. */
export function checkHeadFitsFolder(headName: string, folder: string): void {
  if (headName === folder || headName === slugify(folder)) return;
  throw new Refusal(`SKILL.md says name: ${quote(headName)}, but the folder is ${quote(folder)}`, {
    hint: `write name: ${slugify(folder)}`,
  });
}
