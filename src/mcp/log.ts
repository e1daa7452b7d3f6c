import { toOneLine } from '../errors/sanitize.js';

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Longest line, characters: a log is for reading, and a hostile message must not flood it. */
const MAX_LINE_CHARACTERS = 2_000;

/** Writes single lines about this process; never a value of a variable, never on stdout. */
export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** Makes a log that drops everything above `level`. `write` gets one finished line with its newline. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const limit = LEVELS.indexOf(level);
  const at = (rank: LogLevel) => (message: string) => {
    if (LEVELS.indexOf(rank) > limit) return;
    write(`skill-mcp ${rank}: ${toOneLine(message, MAX_LINE_CHARACTERS)}\n`);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
