import { describe, expect, it } from 'vitest';
import { formatAnswer } from '../../../src/mcp/tool-result.js';
import { fitOutput } from '../../../src/mcp/tools/fit-output.js';

const MIB = 1024 * 1024;
const answer = (stdout: string, stderr: string) => ({
  exitCode: 0,
  stdout,
  stderr,
  truncated: { stdout: false, stderr: false },
});

describe('fitOutput', () => {
  it('leaves ordinary output alone', () => {
    const both = answer('x'.repeat(MIB), 'y'.repeat(MIB));
    expect(fitOutput(both)).toBe(both);
  });

  it('cuts two streams of control characters so that the line is at most 8 MiB', () => {
    const fitted = fitOutput(answer('\u001b'.repeat(MIB), '\u001b'.repeat(MIB)));
    expect(fitted).toMatchObject({
      truncated: { stdout: true, stderr: true },
      note: expect.stringMatching(/cut/),
    });
    const line = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: formatAnswer(fitted, ['stdout', 'stderr']),
    });
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(8 * MIB);
    expect(Buffer.byteLength(line)).toBeGreaterThan(7.9 * MIB);
  });

  it('gives one stream what the other does not need', () => {
    const fitted = fitOutput(answer('ok', '\u001b'.repeat(1.5 * MIB)));
    expect(fitted).toMatchObject({ stdout: 'ok', truncated: { stdout: false, stderr: true } });
    expect(String(fitted.stderr).length).toBeGreaterThan(1.1 * MIB);
  });

  it('leaves a preview alone', () => {
    const preview = { dryRun: true };
    expect(fitOutput(preview)).toBe(preview);
  });
});
