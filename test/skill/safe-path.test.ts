import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenPathRule, isInside } from '../../src/skill/safe-path.js';

/** The rule again, written as plainly as can be. */
function isAllowed(path: string): boolean {
  if (path.length < 1 || path.length > 1024) return false;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false;
    if (code >= 0xd800 && code <= 0xdbff) {
      const next = path.charCodeAt(++index);
      if (!(next >= 0xdc00 && next <= 0xdfff)) return false;
    } else if (code >= 0xdc00 && code <= 0xdfff) return false;
  }
  if ('/\\'.includes(path[0] ?? '') || path.includes('\\') || path.includes('%')) return false;
  if (path[1] === ':' && /[a-zA-Z]/.test(path[0] ?? '')) return false;
  for (const segment of path.split('/')) {
    if (segment.length === 0 || segment[0] === '.') return false;
    if (segment === 'node_modules' || segment === '__pycache__') return false;
  }
  return true;
}

const piece = fc.constantFrom(
  '.',
  '..',
  '/',
  '//',
  '\\',
  '%',
  '%2e',
  '\0',
  '\n',
  'a',
  'b.md',
  'C:',
  'c:x',
  '.git',
  'node_modules',
  '__pycache__',
  'é',
  '日本',
  '👩',
  '\ud800',
  ' ',
  '#',
  '?',
  ':',
  '~',
  '\u007f',
  '\u0085',
  'x'.repeat(600),
);

describe('brokenPathRule', () => {
  it('agrees with a plain model on any path', () => {
    const paths = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('/')),
      fc.string({ unit: 'binary' }),
      fc.webPath(),
    );
    fc.assert(
      fc.property(paths, (path) => {
        expect(brokenPathRule(path) === undefined).toBe(isAllowed(path));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['../b/SKILL.md', /\. or \.\. segment/],
    ['a/../../b', /\. or \.\. segment/],
    ['./a', /\. or \.\. segment/],
    ['..\\b', /backslash/],
    ['a//b', /empty segment/],
    ['a/', /empty segment/],
    ['', /empty/],
    ['a\0b', /NUL/],
    ['a\nb', /control/],
    ['%2e%2e/b', /percent/],
    ['/etc/passwd', /absolute/],
    ['C:\\x', /drive letter/],
    ['x'.repeat(1025), /too long/],
    ['.git/config', /dot files/],
    ['a/.env', /dot files/],
    ['node_modules/x/index.js', /node_modules/],
  ])('names the rule that %j breaks', (path, rule) => {
    expect(brokenPathRule(path)).toMatch(rule);
  });

  it('allows what real bundles hold', () => {
    for (const path of [
      'SKILL.md',
      'a/b/c.py',
      'set up.md',
      'café.md',
      'x#1?.md',
      'ab:c',
      '日本語/技能.md',
    ]) {
      expect(brokenPathRule(path)).toBeUndefined();
    }
  });
});

describe('isInside', () => {
  it('is not fooled by a common beginning', () => {
    expect(isInside('/s/foo', '/s/foo/a')).toBe(true);
    expect(isInside('/s/foo', '/s/foo')).toBe(true);
    expect(isInside('/s/foo', '/s/foo-bar/a')).toBe(false);
    expect(isInside('/', '/a')).toBe(true);
  });
});
