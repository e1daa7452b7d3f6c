import { describe, expect, it } from 'vitest';
import { LineReader } from '../../../src/mcp/stdio/line-reader.js';

const texts = (lines: ReturnType<LineReader['push']>) =>
  lines.map((line) => (line.kind === 'line' ? line.bytes.toString() : line.size));

describe('LineReader', () => {
  it('cuts lines wherever the chunks were cut, inside a character too', () => {
    const bytes = Buffer.from('{"a":"é😀"}\n\nzwei\r\ndrei');
    for (let size = 1; size <= bytes.byteLength; size++) {
      const reader = new LineReader(1_000);
      const lines: unknown[] = [];
      for (let at = 0; at < bytes.byteLength; at += size) {
        lines.push(...texts(reader.push(bytes.subarray(at, at + size))));
      }
      const rest = reader.end();
      expect([...lines, ...(rest ? texts([rest]) : [])]).toEqual(['{"a":"é😀"}', '', 'zwei\r', 'drei']);
    }
  });

  it('reports the size of a line over the limit and goes on after it [server.bad-lines]', () => {
    const reader = new LineReader(10);
    expect(texts(reader.push(Buffer.from('0123456789\n01234567890\nx\n')))).toEqual(['0123456789', 11, 'x']);
    expect(texts(reader.push(Buffer.alloc(1_000, 0x61)))).toEqual([]);
    expect(texts(reader.push(Buffer.from('b\nok\n')))).toEqual([1_001, 'ok']);
    expect(reader.end()).toBeUndefined();
  });
});
