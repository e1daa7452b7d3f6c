import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutAtCharacter, findInvalidUtf8 } from '../../src/skill/utf8.js';

it('cuts any prefix of a text to a text, losing at most three bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), (text, seed) => {
      const bytes = Buffer.from(text);
      const length = seed % (bytes.length + 1);
      const cut = cutAtCharacter(bytes.subarray(0, length));
      expect(isUtf8(cut)).toBe(true);
      expect(length - cut.length).toBeLessThanOrEqual(3);
      expect(text.startsWith(cut.toString())).toBe(true);
    }),
  );
});

it('finds the first bad byte', () => {
  const bad = fc.constantFrom(
    [0xa1, 0xaa],
    [0xff],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xe2, 0x82, 0x41],
    [0xf8],
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), bad, fc.string(), (before, bytes, after) => {
      const good = Buffer.from(before);
      const whole = Buffer.concat([good, Buffer.from(bytes), Buffer.from(after)]);
      expect(findInvalidUtf8(good)).toBeUndefined();
      expect(findInvalidUtf8(whole)).toBe(good.length);
    }),
  );
});
