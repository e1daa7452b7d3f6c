// Behaves badly on purpose: stays although asked to stop, and starts a helper of its own session that does the
// same. Shows how a server ends a run that overstays its time.
// Usage: overstay.js [label]; the label stands in the helper's command line, so that it can be found from outside.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Both end by themselves after this time, ms, should nobody else manage to end them.
const LIFE_MS = 20_000;

process.on('SIGTERM', () => console.log('asked to stop; staying'));
setTimeout(() => process.exit(0), LIFE_MS);

if (process.argv[2] === '--helper') {
  setInterval(() => {}, 1000);
} else {
  const label = process.argv[2] ?? 'unlabelled';
  const helper = spawn(process.execPath, [fileURLToPath(import.meta.url), '--helper', label], {
    detached: true, // a session and a group of its own: a signal to the script's group does not reach it
    stdio: 'ignore',
  });
  helper.unref();
  console.log('started a helper in a session of its own; both ignore the request to stop');
}
