import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_BYTES, splitFrontmatter } from '../../src/skill/split-frontmatter.js';

describe('splitFrontmatter', () => {
  it('keeps any body byte for byte', () => {
    const line = fc.constantFrom(
      '---',
      '--- ',
      '----',
      '---x',
      '',
      'text',
      ' ---',
      '...',
      '\u2028---',
      '\r',
      '---\r',
    );
    const body = fc.oneof(
      fc.array(line).map((lines) => lines.join('\n')),
      fc.string({ unit: 'grapheme' }),
    );
    const fence = fc.constantFrom('---', '---  ', '---\t', '---\r', '--- \r');
    const block = fc.constantFrom(
      '',
      'name: x\n',
      'description: |\n  a\n  ---\n  b\n',
      'a: b --- c\n',
      'name: x---\n',
    );
    fc.assert(
      fc.property(fence, fence, block, body, (open, close, text, rest) => {
        expect(splitFrontmatter(`${open}\n${text}${close}\n${rest}`)).toEqual({ block: text, body: rest });
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes a closing fence at the end of the file', () => {
    expect(splitFrontmatter('---\nname: e\n---')).toEqual({ block: 'name: e\n', body: '' });
    expect(splitFrontmatter('---\n---\nB')).toEqual({ block: '', body: 'B' });
    expect(splitFrontmatter('---\n---')).toEqual({ block: '', body: '' });
  });

  it.each([
    ['---\nname: open\n# Title\nText', /no closing fence/],
    ['---\nname: foo---', /no closing fence/],
    ['---', /no closing fence/],
    ['---\n ---\n', /no closing fence/],
    ['# Title\nText', /no frontmatter/],
    ['', /no frontmatter/],
    ['----\nname: x\n----\n', /no frontmatter/],
    ['---text\nname: x\n---\n', /no frontmatter/],
    [' ---\nname: x\n---\n', /no frontmatter/],
    ['\n---\nname: x\n---\n', /must be line 1, it is line 2/],
    ['# note\n\n---\nname: x\n---\n', /must be line 1, it is line 3/],
  ])('says what is missing in %j', (text, fault) => {
    expect(splitFrontmatter(text)).toEqual({ fault: expect.stringMatching(fault) });
  });

  it('refuses a block over its bound before anybody parses it', () => {
    const line = `description: ${'x'.repeat(MAX_BLOCK_BYTES - 14)}\n`;
    expect(splitFrontmatter(`---\n${line}---\n`)).toHaveProperty('block', line);
    expect(splitFrontmatter(`---\n${line}#\n---\n`)).toEqual({
      fault: expect.stringContaining('over 64 KiB'),
    });
  });
});
