import { expect, it } from 'vitest';
import { createProgressLine } from '../../src/cli/sync-progress.js';

it('writes one line over and over on a terminal, and leaves nothing of it', () => {
  const written: string[] = [];
  const line = createProgressLine((text) => written.push(text), 40);
  line.show('one', 'asking');
  line.show('two', 'fetching 0123456789ab and more than fits');
  line.end('one');
  line.clear();
  const shown = written.map((text) => text.replace('\r\u001b[K', ''));
  expect(shown[0]).toBe('one: asking');
  expect(shown[1]).toMatch(/^one: asking · two: fetching 01234/);
  expect(shown[2]).toMatch(/^two: fetching/);
  expect(shown[3]).toBe('');
  for (const text of shown) expect(text.length).toBeLessThan(40);
  expect(written.every((text) => text.startsWith('\r\u001b[K'))).toBe(true);
});

it('writes nothing where nobody watches', () => {
  const written: string[] = [];
  const line = createProgressLine((text) => written.push(text), undefined);
  line.show('one', 'asking');
  line.end('one');
  line.clear();
  expect(written).toEqual([]);
});
