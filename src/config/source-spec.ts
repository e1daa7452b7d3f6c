import { z } from 'zod';

/** Longest id of a source, characters. */
export const MAX_SOURCE_ID = 64;

/** What a GitHub source is limited to when it names no paths. */
const DEFAULT_PATHS = ['skills'];

const MAX_PATHS = 64;
const MAX_PATH_CHARACTERS = 1_024;
const MAX_REF_CHARACTERS = 255;
const MAX_ARGUMENTS = 100;

/** Lowercase letters and digits, parted by single hyphens. */
export const SourceId = z
  .string()
  .max(MAX_SOURCE_ID, `must have at most ${MAX_SOURCE_ID} characters`)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lowercase letters, digits and single hyphens');

/** `owner/name` and nothing else: no URL, no option, no way out of the path. */
export const Repository = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
    'must be owner/name, as in github.com/owner/name',
  )
  .refine((repo) => !repo.endsWith('.git'), 'must be owner/name without .git');

const Ref = z.string().refine(isPlainRef, 'must be the name of a branch or tag');

const Sha = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'must be a full commit id (40 hexadecimal digits)')
  .transform((sha) => sha.toLowerCase());

const TreePath = z
  .string()
  .transform((path) => path.replace(/\/+$/, '').replace(/^(?:\.\/)+(?=.)/, ''))
  .refine(isPlainPath, 'must be a relative path of plain segments; "." is the whole repository');

const Command = z
  .array(
    z.string().refine((argument) => !argument.includes('\0'), 'must not hold a NUL'),
    'must be an array of strings: the program and its arguments',
  )
  .min(1, 'must name a program')
  .max(MAX_ARGUMENTS, `must have at most ${MAX_ARGUMENTS} arguments`)
  .refine(([program = '']) => program !== '' && !program.startsWith('-'), 'must begin with a program');

/** Names of fields, parted by dots, as in `data.skills`. */
const FieldPath = z.string().regex(/^[^.]+(?:\.[^.]+)*$/, 'must be field names parted by dots');

/** A repository on GitHub, limited to paths. A sha wins over a ref; without both the default branch is followed. */
export const GithubSpec = z.strictObject({
  kind: z.literal('github'),
  id: SourceId,
  repo: Repository,
  ref: Ref.optional(),
  sha: Sha.optional(),
  paths: z
    .array(TreePath)
    .min(1, 'must name a path')
    .max(MAX_PATHS, `must have at most ${MAX_PATHS} paths`)
    .default(DEFAULT_PATHS),
});
export type GithubSpec = z.infer<typeof GithubSpec>;

/** A directory of this machine, scanned in place. */
export const LocalSpec = z.strictObject({
  kind: z.literal('local'),
  id: SourceId,
  path: z
    .string()
    .refine(
      (path) => /^(?:~(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/.test(path),
      'must be absolute or begin with ~/',
    )
    .refine((path) => !path.includes('\0'), 'must not hold a NUL'),
});
export type LocalSpec = z.infer<typeof LocalSpec>;

/** A program that prints its skills as JSON. */
export const CommandSpec = z.strictObject({
  kind: z.literal('cli'),
  id: SourceId,
  /** Prints the names. */
  list: Command,
  /** Called with one name appended; prints that skill's SKILL.md. */
  get: Command,
  namesPath: FieldPath.optional(),
  contentPath: FieldPath.optional(),
});
export type CommandSpec = z.infer<typeof CommandSpec>;

/** One entry of `sources`. */
export const SourceSpec = z.discriminatedUnion('kind', [GithubSpec, LocalSpec, CommandSpec], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must be github, local or cli' : undefined),
});
export type SourceSpec = z.infer<typeof SourceSpec>;

/** The keys that an entry of that kind may have; undefined for an unknown kind. */
export function knownKeys(kind: unknown): readonly string[] | undefined {
  if (kind === 'github') return Object.keys(GithubSpec.shape);
  if (kind === 'local') return Object.keys(LocalSpec.shape);
  if (kind === 'cli') return Object.keys(CommandSpec.shape);
  return undefined;
}

/** An id for a repository that was given none: `owner-name` in the form that ids have. */
export function makeSourceId(repo: string): string {
  const plain = repo.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, MAX_SOURCE_ID).replace(/^-+|-+$/g, '');
}

// git's own rules for names of refs, so that nothing in one can be an option, a range or a refspec.
function isPlainRef(ref: string): boolean {
  if (ref === '' || ref === '@' || ref.length > MAX_REF_CHARACTERS) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/.test(ref)) return false;
  return ref.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

function isPlainPath(path: string): boolean {
  if (path === '.') return true;
  if (path === '' || path.length > MAX_PATH_CHARACTERS || /^[-/]|^[A-Za-z]:|[\\\p{Cc}]/u.test(path))
    return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part !== '.git');
}
