import type { Writable } from 'node:stream';
import type { Terminal } from '../command.js';

/** Longest line of progress, characters: it must not wrap. */
const MAX_WIDTH = 78;

/** Shows on a terminal how far a long call is, on one line that goes away again; elsewhere nothing. */
export function createProgress(stderr: Terminal<Writable>): {
  show: (step: { done: number; total: number; message: string }) => void;
  clear: () => void;
} {
  let isShown = false;
  const show = ({ done, total, message }: { done: number; total: number; message: string }): void => {
    if (!stderr.isTTY) return;
    isShown = true;
    const line = `${done} of ${total}  ${message.replace(/\p{Cc}/gu, '?')}`.slice(0, MAX_WIDTH);
    stderr.write(`\r\u001b[K${line}`);
  };
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001b[K');
    isShown = false;
  };
  return { show, clear };
}
