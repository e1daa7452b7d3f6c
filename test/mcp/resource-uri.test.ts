import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResourceUri, writeResourceUri } from '../../src/mcp/resource-uri.js';

describe('URIs of files [surfaces.resources]', () => {
  it.each([
    ['set up.md', 'skill://s/set%20up.md'],
    ['café.md', 'skill://s/caf%C3%A9.md'],
    ['x#1?.md', 'skill://s/x%231%3F.md'],
    ['a/b/c.md', 'skill://s/a/b/c.md'],
  ])('of %s keep their bytes', (path, uri) => {
    expect(writeResourceUri('s', path)).toBe(uri);
    expect(readResourceUri(uri)).toEqual({ skill: 's', path });
  });

  it('stay what they are when a client parses and writes them again, whatever the name', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !/^\.|[/\\%\p{Cc}]/u.test(text));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const path = segments.join('/');
        const uri = writeResourceUri('技能', path);
        expect(new URL(uri).href).toBe(uri);
        expect(readResourceUri(uri)).toEqual({ skill: '技能', path });
      }),
    );
  });

  it('may be expanded from the template by a client that leaves # and ? as they are', () => {
    expect(readResourceUri('skill://s/x#1?.md')).toEqual({ skill: 's', path: 'x#1?.md' });
  });

  it.each([
    ['skill://a/%E0%A4%A', /malformed percent/],
    ['skill://a/b%2Fc.md', /encoded slash/],
    ['skill://a//b', /empty segment/],
    ['skill://a/', /empty segment/],
    ['skill://', /empty segment/],
    ['file:///etc/passwd', /only skill/],
    [`skill://a/${'x'.repeat(20_000)}`, /too long/],
  ])('%s names nothing', (uri, fault) => {
    expect(readResourceUri(uri)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
