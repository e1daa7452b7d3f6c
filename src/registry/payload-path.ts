import { Refusal } from '../errors/refusal.js';
import { quote } from './slug.js';

/** Longest path inside a skill, characters. */
const MAX_PATH = 1_024;

/** The rule that a path inside a skill breaks, as a phrase; undefined when it is plain. */
export function brokenPathRule(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > MAX_PATH) return `is longer than ${MAX_PATH} characters`;
  if (!path.isWellFormed()) return 'is not well-formed Unicode';
  if (path.includes('\0')) return 'holds a NUL';
  if (/\p{Cc}/u.test(path)) return 'holds a control character';
  if (path.startsWith('/')) return 'is absolute';
  if (path.includes('\\')) return 'holds a backslash';
  const segments = path.split('/');
  if (segments.includes('')) return 'has an empty segment';
  if (segments.includes('..')) return 'has a .. segment';
  if (segments.includes('.')) return 'has a . segment';
  if (segments.some(isGitName)) return 'has a .git segment';
  return undefined;
}

/** Names under which some file system would open `.git`: other case, trailing dots, ignored characters, its short name. */
function isGitName(segment: string): boolean {
  const seen = segment
    .normalize('NFC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return seen === '.git' || seen === 'git~1' || seen.startsWith('.git:');
}

/**
 * Maps keys as written to plain paths: a leading `./` is dropped, however often. Throws a Refusal naming the key that
 * is no plain path, or that collides with another one.
 */
export function checkPaths(keys: readonly string[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const key of keys) {
    const path = key.replace(/^(?:\.\/)+/, '');
    const broken = brokenPathRule(path);
    if (broken !== undefined) throw new Refusal(`the path ${quote(key)} ${broken}; nothing was published`);
    paths.set(key, path);
  }
  const clash = findClash([...paths.values()]);
  if (clash !== undefined) throw new Refusal(`${clash}; nothing was published`);
  return paths;
}

/** Two paths that cannot both exist on every file system, as a sentence; undefined when there are none. */
export function findClash(paths: readonly string[]): string | undefined {
  const seen = new Map<string, string>();
  const key = (path: string) => path.normalize('NFC').toLowerCase();
  for (const path of paths) {
    const twin = seen.get(key(path));
    if (twin === path) return `two keys mean the file ${quote(path)}`;
    if (twin !== undefined) return `${quote(twin)} and ${quote(path)} differ in nothing but case or spelling`;
    seen.set(key(path), path);
  }
  const folders = new Map<string, string>();
  for (const path of paths) {
    const segments = path.split('/');
    for (let depth = 1; depth < segments.length; depth++) {
      const folder = segments.slice(0, depth).join('/');
      const file = seen.get(key(folder));
      if (file !== undefined) return `${quote(file)} is a file and, for ${quote(path)}, also a folder`;
      const other = folders.get(key(folder));
      if (other !== undefined && other !== folder) {
        return `the folders ${quote(other)} and ${quote(folder)} differ in nothing but case or spelling`;
      }
      folders.set(key(folder), folder);
    }
  }
  return undefined;
}
