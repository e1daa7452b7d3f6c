/** The process that starts and ends programs. Started by the client; speaks frames on descriptor 3 only. */
import { STANDARD_PATH } from '../start-command.js';
import { Dispatcher } from './dispatcher.js';
import { EXIT } from './exit-code.js';
import { closeLeakedDescriptors } from './leaked-descriptors.js';

/** Longest reason that the start script may hand over, characters. */
const REASON_CHARACTERS = 200;

// First of all: what is open now was open before us.
const blockedSlots = closeLeakedDescriptors();
const [level, reason] = process.argv.slice(2);

let dispatcher: Dispatcher | undefined;

function exit(code: number, why?: string): never {
  if (why !== undefined) process.stderr.write(`supervisor: ${why}\n`);
  process.exit(code);
}

process.on('uncaughtException', (error) => {
  // Fail closed: whatever went wrong here, no program outlives its supervisor.
  dispatcher?.killAll();
  exit(EXIT.crashed, `internal error: ${error.name}: ${error.message.split('\n', 1)[0]}`);
});

if (level !== 'sandbox' && level !== 'namespace' && level !== 'portable') {
  exit(EXIT.usage, 'this program is started by the supervisor client, not by hand');
} else {
  dispatcher = new Dispatcher({
    verdict: {
      level,
      reason: reason ? oneLine(reason) : undefined,
      // Where the probe found them, whatever PATH is, and even where there is none.
      searchPath: `${STANDARD_PATH}:${process.env.PATH ?? ''}`,
      isRoot: process.geteuid?.() === 0,
    },
    blockedSlots,
    exit,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => dispatcher?.closeSoon('closing', EXIT.done));
  }
}

/** What the probe said first; later lines are its wrapper's. */
function oneLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, REASON_CHARACTERS);
}
