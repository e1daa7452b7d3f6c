import { expect, it } from 'vitest';
import { diffLines } from '../../src/opencode/diff.js';

it('shows what goes and what comes, with a little around it', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const after = [...before.slice(0, 10), 'new', ...before.slice(11)];
  const diff = diffLines(before.join('\n'), after.join('\n'), 'file');
  expect(diff).toBe(
    [
      '--- file',
      '+++ file',
      '@@ -8 +8 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+new',
      ' line 11',
      ' line 12',
      ' line 13',
      '',
    ].join('\n'),
  );
});

it('is empty for two texts that are the same', () => {
  expect(diffLines('a\nb', 'a\nb', 'file')).toBe('');
});
