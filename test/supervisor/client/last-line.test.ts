import { describe, expect, it } from 'vitest';
import { LastLine } from '../../../supervisor/client/last-line.js';

const lastOf = (...chunks: string[]): string | undefined => {
  const line = new LastLine();
  for (const chunk of chunks) line.push(Buffer.from(chunk));
  return line.text;
};

describe('what a supervisor last said', () => {
  it('is nothing when it said nothing', () => {
    expect(lastOf()).toBeUndefined();
    expect(lastOf('\n \n')).toBeUndefined();
  });

  it('is the last line, whole or not, however it was cut', () => {
    expect(lastOf('one\ntwo\n')).toBe('two');
    expect(lastOf('one\nt', 'w', 'o')).toBe('two');
  });

  it('is the error of an uncaught error, not the frames and the version below it', () => {
    const report = [
      'file:///x.js:1',
      'throw new Error("broken");',
      '^',
      '',
      'Error: broken',
      '    at file:///x.js:1:7 {',
      "  code: 'X'",
      '}',
      '',
      'Node.js v20.20.2',
      '',
    ].join('\n');
    expect(lastOf(report)).toBe('Error: broken');
  });

  it('is one line of bounded length without control characters', () => {
    expect(lastOf('a\u001b[31mred\u0007\tb\r\n')).toBe('a [31mred b');
    expect(lastOf('x'.repeat(100_000))).toHaveLength(200);
  });
});
