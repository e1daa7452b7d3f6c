import type { Capture } from './capture.js';

/** At most two messages a second, ms. */
const TAIL_MS = 500;

/** Longest line that is sent, characters. */
const LINE_CHARACTERS = 1024;

export interface TailReport {
  readonly line: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

/** Reports the last line of output whenever there is news, until stopped. */
export function followTail(
  stdout: Capture,
  stderr: Capture,
  report: (tail: TailReport) => void,
): { stop(): void } {
  let stdoutBytes = 0;
  let stderrBytes = 0;
  let line = '';
  const timer = setInterval(() => {
    // Whoever spoke since the last look has the word; stdout, when both did.
    const speaker = stdout.total > stdoutBytes ? stdout : stderr.total > stderrBytes ? stderr : undefined;
    if (speaker === undefined) return;
    stdoutBytes = stdout.total;
    stderrBytes = stderr.total;
    line = readLastLine(speaker.readTail()) || line;
    report({ line, stdoutBytes, stderrBytes });
  }, TAIL_MS);
  return { stop: () => clearInterval(timer) };
}

/** Last line that is not blank, raw, its end at most 1,024 characters. */
export function readLastLine(bytes: Buffer): string {
  const text = bytes.toString('utf8').trimEnd();
  return text.slice(text.lastIndexOf('\n') + 1).slice(-LINE_CHARACTERS);
}
