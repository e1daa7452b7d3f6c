import { expect, it } from 'vitest';
import { isTreeSha, parseVersion, versionTag } from '../../src/registry/version.js';

it.each([
  ['1.2.0', '1.2.0'],
  ['v1.2.0', '1.2.0'],
  ['0.0.1-rc.1', '0.0.1-rc.1'],
])('%s is the version %s', (text, version) => {
  expect(parseVersion(text)).toBe(version);
});

it.each(['1.2', '1', 'vv1.2.3', '01.2.3', '1.2.3+build', '1.2.3-', 'latest', '', '1.2.3/../x', '1.2.3 x'])(
  '%j is none',
  (text) => {
    expect(() => parseVersion(text)).toThrow(/is no version/);
  },
);

it('is told from a tree, and names a tag below its skill', () => {
  expect(isTreeSha('A'.repeat(40))).toBe(true);
  expect(isTreeSha('a'.repeat(39))).toBe(false);
  expect(versionTag('demo', '1.2.0')).toBe('demo/v1.2.0');
});
