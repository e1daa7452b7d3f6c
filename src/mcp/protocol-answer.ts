import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { Log } from './log.js';

const MAX_MESSAGE_CHARACTERS = 2_000;

/** A protocol error -32602 with words that are safe on one line. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, toOneLine(message, MAX_MESSAGE_CHARACTERS));
}

/**
 * Answers a request that is no tool call. A refusal becomes -32602 with its words; any other fault is ours: its
 * message may hold anything and goes to the log only.
 */
export async function answerRequest<T>(method: string, log: Log, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof Refusal) {
      throw invalidParams(error.hint === undefined ? error.message : `${error.message}; ${error.hint}`);
    }
    log.error(`${method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'internal error: the request failed inside the server; its log on stderr has the details',
    );
  }
}
