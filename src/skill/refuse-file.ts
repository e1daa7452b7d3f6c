import { Refusal } from '../errors/refusal.js';
import { quoteName } from '../errors/sanitize.js';
import type { FileFault } from './open-inside.js';
import { brokenPathRule } from './safe-path.js';
import type { Skill } from './skill.js';

/** What reading needs to know of a skill. */
export type Bundle = Pick<Skill, 'name' | 'directory' | 'files'>;

// A path in a message is there to be recognised, not to be reproduced.
const SHOWN_PATH = 200;
const NEAR_NAMES = 5;

/** Throws the Refusal that names the broken rule when a path is not addressable. */
export function requireAddressable(path: string): void {
  const rule = brokenPathRule(path);
  if (rule === undefined) return;
  throw new Refusal(`path ${show(path)} is refused: ${rule}`, {
    hint: 'use a path exactly as listed by skill_load',
  });
}

/** The Refusal for a file that cannot be read, one sentence a fault. */
export function refuseFile(bundle: Bundle, path: string, fault: FileFault): Refusal {
  const shown = show(path);
  switch (fault.fault) {
    case 'absent':
      if (bundle.files.some((file) => file.path === path))
        return new Refusal(`not found: ${shown} is gone since the scan of skill "${bundle.name}"`, {
          hint: 'skill_load lists the files of the skill as they are now',
        });
      return new Refusal(`not found: ${shown} is not in skill "${bundle.name}"`, {
        hint: nearHint(bundle, path),
      });
    case 'outside':
      return new Refusal(`${shown} resolves outside the skill "${bundle.name}"`, {
        hint: 'a symlink leads out of the skill; only files inside it are read',
      });
    case 'changed':
      return new Refusal(`${shown} changed while reading`, { hint: 'try again' });
    case 'too-long':
      return new Refusal(`path ${shown} is too long for this file system`);
    case 'unreadable':
      return new Refusal(`unreadable: ${shown} (${fault.errno})`, {
        hint: 'the file is there, but the server may not or cannot read it',
      });
    case 'not-regular':
      return new Refusal(`${shown} is not a regular file (${fault.kind})`, {
        hint: 'use a path exactly as listed by skill_load',
      });
  }
}

function nearHint({ files }: Bundle, path: string): string {
  const near = nearFiles(files, path);
  if (near.length === 0) return 'skill_load lists the files of the skill';
  return `did you mean ${near.map((name) => `"${name}"`).join(', ')}?`;
}

/** Listed paths that differ in letter case or directory only, the former first. */
function nearFiles(files: Skill['files'], path: string): string[] {
  const wanted = fold(path);
  const wantedBase = wanted.slice(wanted.lastIndexOf('/') + 1);
  const names = files.map((file) => file.path);
  const sameBut = names.filter((name) => fold(name) === wanted);
  const elsewhere = names.filter(
    (name) => fold(name).endsWith(`/${wantedBase}`) || fold(name) === wantedBase,
  );
  return [...new Set([...sameBut, ...elsewhere])].slice(0, NEAR_NAMES);
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function show(path: string): string {
  return quoteName(path, SHOWN_PATH);
}
