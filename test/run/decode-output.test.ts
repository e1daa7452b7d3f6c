import { describe, expect, it } from 'vitest';
import { decodeOutput } from '../../src/run/decode-output.js';

describe('decodeOutput', () => {
  it('keeps valid UTF-8 as it is, a byte-order mark and U+FFFD included', () => {
    const text = '\ufeffé😀\ufffd\u0000\u001b[31m';
    expect(decodeOutput(Buffer.from(text), false)).toEqual({ text, invalid: 0 });
  });

  it('counts what is not UTF-8 and shows it as U+FFFD', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62, 0xef, 0xbf, 0xbd, 0xc3]);
    expect(decodeOutput(bytes, false)).toEqual({ text: 'a\ufffdb\ufffd\ufffd', invalid: 2 });
  });

  it('drops a character that the capture has cut in two', () => {
    const whole = Buffer.from('é😀');
    for (const [size, text] of [
      [1, ''],
      [2, 'é'],
      [3, 'é'],
      [5, 'é'],
      [6, 'é😀'],
    ] as const) {
      expect(decodeOutput(whole.subarray(0, size), true)).toEqual({ text, invalid: 0 });
    }
  });
});
