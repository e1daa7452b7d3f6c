/**
 * The first module of the program. From here on stdout belongs to the protocol alone: whatever else in this
 * process writes to `process.stdout` or to the console lands on stderr, so a stray line of a dependency can
 * never break the message stream.
 */
import type { Writable } from 'node:stream';

/** The real stdout; the transport is its only writer. */
export const protocolOutput: Writable = process.stdout;

// The console binds to process.stdout when it is first used, so exchanging the stream moves it as well.
Object.defineProperty(process, 'stdout', { value: process.stderr, configurable: true, enumerable: true });
