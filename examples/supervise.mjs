// The supervisor as a library: run a program under a deadline, give one up, and leave nothing behind.
// After `npm run build`: node examples/supervise.mjs
import { Supervisor, SupervisorRefusal } from '@skill-mcp/server/supervisor';

const supervisor = new Supervisor({ onLog: (line) => console.error(`log: ${line}`) });

const fence = await supervisor.ready();
console.log(`fence: ${fence.level}`);

// The program sees this environment and nothing of ours; stdin is a text, not a terminal.
const greeting = 'process.stdin.on("data", (text) => console.log(process.env.GREETING + ", " + text))';
const request = { file: process.execPath, cwd: process.cwd(), env: { GREETING: 'Hello' } };
const result = await supervisor.run({ ...request, args: ['-e', greeting], stdin: 'world' });
console.log(`exit code ${result.exitCode}: ${result.stdout.toString().trim()}`);

// A program that never ends is ended, together with whatever it started; that is a result, not an error.
const endless = 'console.log("still here"); setInterval(() => {}, 1000)';
const late = await supervisor.run({ ...request, args: ['-e', endless], timeoutMs: 500 });
console.log(`timed out: ${late.timedOut}, after it said: ${late.stdout.toString().trim()}`);

// What cannot be run is refused before anything is started.
try {
  await supervisor.run({ ...request, file: 'node' });
} catch (error) {
  if (!(error instanceof SupervisorRefusal)) throw error;
  console.log(`refused (${error.code}): ${error.message}`);
}

await supervisor.close();
