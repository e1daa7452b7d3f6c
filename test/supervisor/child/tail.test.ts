import { expect, it } from 'vitest';
import { readLastLine } from '../../../supervisor/child/tail.js';

it('reads the last line that is not blank, raw, and not more than it may send', () => {
  expect(readLastLine(Buffer.from(''))).toBe('');
  expect(readLastLine(Buffer.from(' \n\n'))).toBe('');
  expect(readLastLine(Buffer.from('one\ntwo\n \n\n'))).toBe('two');
  expect(readLastLine(Buffer.from('one\n\u001b[31mtwo'))).toBe('\u001b[31mtwo');
  const long = readLastLine(Buffer.from(`${'x'.repeat(3000)}end`));
  expect(long).toHaveLength(1024);
  expect(long.endsWith('end')).toBe(true);
});
