import { Refusal } from '../errors/refusal.js';
import { escapeInvisible } from '../errors/sanitize.js';

/** Longest name of a skill, characters: what the published format allows. */
export const MAX_SLUG = 64;

/** A name as a message shows it. */
export function quote(name: string): string {
  return JSON.stringify(escapeInvisible(name.slice(0, 200)));
}

/** The key under which two spellings of a name are the same folder: `My Skill`, `my_skill` and `my-skill`. */
export function normaliseName(name: string): string {
  return (
    name
      .toLowerCase()
      // `C++` and `C#` are other names than `c`.
      .replace(/[^a-z0-9+#\u0080-\u{10ffff}]+/gu, '-')
      .replace(/^-|-$/g, '')
  );
}

/** Throws a Refusal for a name that could lead out of the registry's top level or is none at all. */
export function checkName(name: string): void {
  if (name.trim() === '') throw new Refusal('the name is empty');
  if (/[/\\]/.test(name) || name.includes('..')) {
    throw new Refusal(`the name ${quote(name)} holds a slash, a backslash or two dots in a row`, {
      hint: 'a skill is one folder at the top of the registry',
    });
  }
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new Refusal(`the name ${quote(name)} holds a control character`);
  }
  if (name.startsWith('.')) throw new Refusal(`the name ${quote(name)} begins with a dot`);
}

/**
 * The folder that a new skill of this name gets: lowercase, hyphens. Throws a Refusal where two different names
 * would fall onto one folder (`C++` and `C#` onto `c`) or nothing would be left.
 */
export function slugify(name: string): string {
  checkName(name);
  const unfit = /[+#]|[^\p{ASCII}]/u.exec(name)?.[0];
  if (unfit !== undefined) {
    throw new Refusal(`the name ${quote(name)} holds ${quote(unfit)}, which a folder's name would lose`, {
      hint: 'use ASCII letters, digits and hyphens, such as cpp-review',
    });
  }
  const slug = normaliseName(name);
  if (slug === '') throw new Refusal(`the name ${quote(name)} has no letter and no digit`);
  if (slug.length > MAX_SLUG) {
    throw new Refusal(`the name ${quote(name)} is too long: ${slug.length} characters, at most ${MAX_SLUG}`);
  }
  return slug;
}

/**
 * The folder that a publication goes to: the one that is called exactly so, else the hyphen form. Throws a Refusal
 * when a new folder would be a twin of an existing one.
 */
export function chooseFolder(name: string, folders: readonly string[]): string {
  const slug = slugify(name);
  if (folders.includes(name)) return name;
  if (folders.includes(slug)) return slug;
  const twin = folders.find((folder) => normaliseName(folder) === slug);
  if (twin === undefined) return slug;
  throw new Refusal(`a new folder ${slug} would be a twin of ${quote(twin)}, which the registry holds`, {
    hint: `to update that one, publish under the name ${quote(twin)}`,
  });
}

/** The folder that a reader means: the exact one, else the only one of that key; undefined when there is none. */
export function resolveFolder(name: string, folders: readonly string[]): string | undefined {
  if (folders.includes(name)) return name;
  const key = normaliseName(name);
  const found = key === '' ? [] : folders.filter((folder) => normaliseName(folder) === key);
  if (found.length > 1) {
    throw new Refusal(`${quote(name)} is ambiguous: the registry holds ${found.map(quote).join(' and ')}`, {
      hint: 'give the exact name',
    });
  }
  return found[0];
}
