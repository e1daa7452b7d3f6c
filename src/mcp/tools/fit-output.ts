import { cutToLine, ENVELOPE_BYTES, MAX_LINE_BYTES, measureOnLine } from '../line-budget.js';

/** What a script printed, as far as it matters for the size of the line. */
interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

const NOTE =
  'The output is cut further than usual: escaped as JSON it would not fit on one line of the protocol.';

/**
 * Cuts stdout and stderr so that the answer fits on one line. Only output of control characters and quotes ever
 * needs it: they grow up to sevenfold.
 */
export function fitOutput(answer: Record<string, unknown>): Record<string, unknown> {
  const { stdout, stderr } = answer;
  if (typeof stdout !== 'string' || typeof stderr !== 'string') return answer;
  const rest = measureOnLine({ ...answer, stdout: '', stderr: '', note: NOTE });
  // Structured content is another copy of everything but the two streams; the keys around both are counted once more.
  const budget = MAX_LINE_BYTES - 2 * ENVELOPE_BYTES - 2 * rest;
  const cut = share({ stdout, stderr }, budget);
  if (cut.stdout === stdout && cut.stderr === stderr) return answer;
  const before = readTruncated(answer.truncated);
  return {
    ...answer,
    ...cut,
    truncated: {
      stdout: before.stdout || cut.stdout !== stdout,
      stderr: before.stderr || cut.stderr !== stderr,
    },
    note: NOTE,
  };
}

/** Half for each, and what one leaves over for the other. */
function share({ stdout, stderr }: Output, budget: number): Output {
  const half = Math.floor(budget / 2);
  const needs = { stdout: measureOnLine(stdout), stderr: measureOnLine(stderr) };
  if (needs.stdout + needs.stderr <= budget) return { stdout, stderr };
  if (needs.stdout <= half) return { stdout, stderr: cutToLine(stderr, budget - needs.stdout) };
  if (needs.stderr <= half) return { stdout: cutToLine(stdout, budget - needs.stderr), stderr };
  return { stdout: cutToLine(stdout, half), stderr: cutToLine(stderr, half) };
}

function readTruncated(value: unknown): { stdout: boolean; stderr: boolean } {
  const flags = typeof value === 'object' && value !== null ? value : {};
  return {
    stdout: 'stdout' in flags && flags.stdout === true,
    stderr: 'stderr' in flags && flags.stderr === true,
  };
}
