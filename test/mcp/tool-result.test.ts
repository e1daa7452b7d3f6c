import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/errors/refusal.js';
import { createLog } from '../../src/mcp/log.js';
import { formatAnswer, formatFailure } from '../../src/mcp/tool-result.js';

const lines: string[] = [];
const log = createLog('error', (line) => lines.push(line));
const textOf = (result: { content: { type: string; text?: unknown }[] }) => String(result.content[0]?.text);

describe('formatAnswer', () => {
  it('gives compact JSON and the same object', () => {
    const result = formatAnswer({ a: 1, list: ['x'] }, []);
    expect(textOf(result)).toBe('{"a":1,"list":["x"]}');
    expect(result.structuredContent).toEqual({ a: 1, list: ['x'] });
    expect(result.isError).toBeUndefined();
  });

  it('empties the bulky fields of a large answer in the structured copy only', () => {
    const answer = {
      stdout: '\u001b'.repeat(40_000),
      truncated: { stdout: false },
      files: [{ stdout: 'x' }],
    };
    const result = formatAnswer(answer, ['stdout']);
    expect(JSON.parse(textOf(result))).toEqual(answer);
    expect(result.structuredContent).toEqual({
      stdout: '',
      truncated: { stdout: false },
      files: [{ stdout: '' }],
    });
    const small = { ...answer, stdout: '\u001b'.repeat(30_000) };
    expect(formatAnswer(small, ['stdout']).structuredContent).toBe(small);
  });

  it('empties the long lists of a large answer in the structured copy only', () => {
    const answer = {
      roots: ['/a'],
      skills: Array.from({ length: 20_000 }, (_, n) => ({ name: `skill-${n}` })),
    };
    const result = formatAnswer(answer, ['skills']);
    expect(JSON.parse(textOf(result))).toEqual(answer);
    expect(result.structuredContent).toEqual({ roots: ['/a'], skills: [] });
  });

  it('refuses an answer that is over the line limit', () => {
    expect(() => formatAnswer({ content: 'x'.repeat(9 * 1024 * 1024) }, ['content'])).toThrow(Refusal);
  });
});

describe('formatFailure [tools.refusals]', () => {
  it('gives a refusal as one line of code, message and hint', () => {
    const result = formatFailure(
      new Refusal('first\nsecond \u001b[31m', { code: 'TOKEN_INVALID', hint: 'do\r\nthis' }),
      'skill_run',
      log,
    );
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'TOKEN_INVALID first second [31m; do this' }],
    });
  });

  it('ends with what is attached, uncut', () => {
    const attachment = `preview: ${JSON.stringify({ argv: ['x'.repeat(9_000)] })}`;
    const text = textOf(
      formatFailure(new Refusal('changed', { code: 'PLAN_CHANGED', attachment }), 't', log),
    );
    expect(text).toBe(`PLAN_CHANGED changed ${attachment}`);
  });

  it('keeps the words of any other error to the log', () => {
    lines.length = 0;
    const result = formatFailure(new Error('secret-value at /home/someone/x.js'), 'skill_load', log);
    expect(textOf(result)).not.toMatch(/secret|home/);
    expect(result.isError).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^skill-mcp error: skill_load failed: Error: secret-value [^\n]*\n$/);
  });
});
