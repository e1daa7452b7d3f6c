import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import { MAX_LINE_BYTES } from '../line-budget.js';
import { findParameterFault } from '../request-params.js';
import { type Line, LineReader } from './line-reader.js';
import { PendingRequests } from './pending-requests.js';
import { readMessage } from './read-message.js';

/** Longest line that is read, bytes: what clients allow each other. */
const MAX_INPUT_LINE_BYTES = 10 * 1024 * 1024;

/** Unread answers beyond this, bytes, stop the reading of further requests until the client catches up. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;

export interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Told about input that could not be answered. */
  readonly note: (text: string) => void;
  /** Called once, after the first answer has been handed to the system. */
  readonly onFirstAnswer?: () => void;
}

/**
 * JSON-RPC over two streams, one message a line. A line that is too long, malformed or no message is answered
 * or noted, and the session goes on. The end of the input does not close it: whoever owns the process decides
 * how long open requests may still be answered.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  /** Resolves when the client has closed the input. */
  readonly inputEnded: Promise<void>;
  /** Resolves when the client no longer reads the output. */
  readonly outputFailed: Promise<void>;
  readonly #options: StdioTransportOptions;
  readonly #reader = new LineReader(MAX_INPUT_LINE_BYTES);
  readonly #pending = new PendingRequests();
  #closed = false;
  #answered = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    const { input, output } = options;
    this.inputEnded = new Promise((resolve) => {
      input.once('end', () => {
        this.#receive(this.#reader.end());
        resolve();
      });
      input.once('close', resolve);
      input.on('error', () => resolve());
    });
    this.outputFailed = new Promise((resolve) => {
      output.on('error', () => resolve());
      output.once('close', resolve);
    });
  }

  start(): Promise<void> {
    this.#options.input.on('data', (chunk: Buffer) => {
      for (const line of this.#reader.push(chunk)) this.#receive(line);
    });
    return Promise.resolve();
  }

  /** Resolves once the output takes more; a closed transport drops the message. */
  async send(message: JSONRPCMessage): Promise<void> {
    this.#pending.send(message);
    if (this.#closed) return;
    await this.#write(message);
    if (!this.#answered && !('method' in message)) {
      this.#answered = true;
      this.#options.onFirstAnswer?.();
    }
  }

  /** Resolves when every request that was read has been answered, or after `timeoutMs`. */
  answered(timeoutMs: number): Promise<void> {
    return this.#pending.settled(timeoutMs);
  }

  /** Resolves when everything written has been handed to the system, at once when nobody reads it any more. */
  async flushed(): Promise<void> {
    const { output } = this.#options;
    if (output.writableLength === 0 || output.destroyed) return;
    const drained = new Promise<void>((resolve) => output.write('', () => resolve()));
    await Promise.race([drained, this.outputFailed]);
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#options.input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  #receive(line: Line | undefined): void {
    if (line === undefined || this.#closed) return;
    if (line.kind === 'too-long') {
      this.#options.note(`discarded a line of ${line.size} bytes`);
      this.#answerFault(
        null,
        ProtocolErrorCode.InvalidRequest,
        `Invalid request: a line of ${line.size} bytes is over the limit of ${MAX_INPUT_LINE_BYTES}`,
      );
      return;
    }
    const incoming = readMessage(line.bytes);
    switch (incoming.kind) {
      case 'message':
        this.#deliver(incoming.message);
        return;
      case 'fault':
        this.#options.note(incoming.text);
        this.#answerFault(incoming.id, incoming.code, incoming.text);
        return;
      case 'note':
        this.#options.note(incoming.text);
        return;
      case 'blank':
        return;
    }
  }

  #deliver(message: JSONRPCMessage): void {
    const fault = findParameterFault(message);
    if (fault !== undefined && 'id' in message && message.id !== undefined) {
      this.#options.note(fault);
      this.#answerFault(message.id, ProtocolErrorCode.InvalidParams, fault);
      return;
    }
    this.#pending.receive(message);
    this.onmessage?.(message);
  }

  #answerFault(id: string | number | null, code: number, message: string): void {
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: object): Promise<void> {
    const { output, input } = this.#options;
    const line = this.#serialise(message);
    return new Promise((resolve) => {
      // An error is reported by the stream's own event; the callback only says that the wait is over.
      const flowing = output.write(line, () => {
        if (!flowing) resolve();
      });
      if (flowing) return resolve();
      if (output.writableLength > MAX_UNSENT_BYTES && !input.isPaused()) {
        input.pause();
        output.once('drain', () => {
          if (!this.#closed) input.resume();
        });
      }
    });
  }

  /** The last guard of the line limit: tools keep it themselves, with better words. */
  #serialise(message: object): string {
    const line = `${JSON.stringify(message)}\n`;
    if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
    this.#options.note('withheld a message that is over the line limit');
    const id = 'id' in message ? message.id : null;
    const error = { code: ProtocolErrorCode.InternalError, message: 'The answer is too large to be sent' };
    return `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`;
  }
}
