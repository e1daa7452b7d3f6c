import { Refusal } from '../errors/refusal.js';
import { quote } from './slug.js';

const VERSION =
  /^v?((?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/;

/** A version as it stands in a tag, without the leading v. Throws a Refusal for anything else. */
export function parseVersion(text: string): string {
  const version = VERSION.exec(text.trim())?.[1];
  if (version === undefined || version.length > 100) {
    throw new Refusal(`${quote(text)} is no version`, {
      hint: 'MAJOR.MINOR.PATCH, such as 1.2.0 or 1.2.0-rc.1',
    });
  }
  return version;
}

/** True for 40 hexadecimal digits: a tree, not a version. */
export function isTreeSha(text: string): boolean {
  return /^[0-9a-f]{40}$/i.test(text);
}

/** The tag of a skill's version. */
export function versionTag(slug: string, version: string): string {
  return `${slug}/v${version}`;
}
