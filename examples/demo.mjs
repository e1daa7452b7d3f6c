// npm run demo: a real MCP client starts the built server on the example skill and walks through all it does.
// Every step is checked; the first one that is not as promised ends the demo with exit code 1.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { check, end, fail, say, step } from './narrator.mjs';
import { waitForProcesses } from './process-table.mjs';

const SERVER = fileURLToPath(new URL('../dist/skill-mcp.js', import.meta.url));
const SKILL = 'skill-mcp-demo';
const PROTOCOL = '2026-07-28';
// Far longer than any step needs; a server that does not answer must not hold the demo for ever.
const ANSWER_MS = 15_000;

/** What a level of the fence guarantees once a run is over; the README has the whole table. */
const GUARANTEES = {
  portable: [
    "the script's group and every process that carries the run's mark are ended",
    'not ended: a daemon that wiped its own environment before it left the group',
  ],
  namespace: [
    'every process the script started is ended, however it tried to hide, even if the server is killed',
    'the script cannot see the server: no environment, no memory, no signals',
    'not kept out: it reads the files and reaches the network that you can',
  ],
};

if (!existsSync(SERVER)) {
  console.error('dist/ is not built yet. Type this first:\n\n  npm ci\n');
  process.exit(1);
}

const transport = new StdioClientTransport({
  command: process.execPath,
  args: [SERVER],
  stderr: 'pipe',
  // The client passes on PATH, HOME and the like only; the level of the fence may be chosen for a trial.
  ...(process.env.SKILL_MCP_FENCE && {
    env: { PATH: process.env.PATH ?? '', SKILL_MCP_FENCE: process.env.SKILL_MCP_FENCE },
  }),
});
let serverWrote = '';
transport.stderr.on('data', (chunk) => {
  serverWrote = (serverWrote + chunk).slice(-4000);
});
const client = new Client(
  { name: 'skill-mcp-demo-client', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: PROTOCOL } } },
);

/** Calls a tool; an answer that is a refusal ends the demo with the refusal's own words. */
async function call(name, args, options = {}) {
  const answer = await client.callTool({ name, arguments: args }, { timeout: ANSWER_MS, ...options });
  if (answer.isError) throw new Error(`${name} refused: ${answer.content[0]?.text}`);
  return answer.structuredContent;
}

/** Previews a run, then runs what was previewed: the token is good for exactly that, once. */
async function run(script, args, { stdin, onprogress } = {}) {
  const request = { name: SKILL, script, args, ...(stdin !== undefined && { stdin }) };
  const { confirmToken } = await call('skill_run', request);
  return call('skill_run', { ...request, confirm: true, confirmToken }, { onprogress });
}

async function connect() {
  step(
    'Connect',
    'An MCP client starts the server as a process of its own and speaks over its stdin and stdout.',
  );
  await client.connect(transport, { timeout: ANSWER_MS });
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  say(`protocol ${PROTOCOL}, server process ${transport.pid}`);
  say(`tools: ${names.join(', ')}`);
  check(
    ['skill_list', 'skill_load', 'skill_file', 'skill_run'].every((name) => names.includes(name)),
    'the four tools are there',
  );
}

async function list() {
  step('skill_list', 'Which skills are there, what may run, and what is wrong with the rest.');
  const { skills, problems, fence } = await call('skill_list', {});
  for (const { path, reason, detail } of problems) say(`problem: ${path}: ${reason}: ${detail}`);
  const skill = skills.find(({ name }) => name === SKILL);
  check(skill !== undefined, `${SKILL} is listed`);
  say(skill.description);
  for (const { script, timeoutMs } of skill.scripts)
    say(`may run: ${script} (at most ${timeoutMs / 1000} s)`);
  check(skill.scripts.length === 3, 'its three declared scripts may run');
  check(problems.length === 0, 'no problems');
  return { fence };
}

async function load() {
  step('skill_load', 'The instructions, word for word, and the list of files that come with them.');
  const { body, base, files } = await call('skill_load', { name: SKILL });
  say(body.trim().split('\n')[0]);
  for (const { path, size } of files) say(`${String(size).padStart(6)}  ${path}`);
  const onDisk = readFileSync(join(base, 'SKILL.md'), 'utf8');
  check(onDisk.endsWith(body), 'the body is what stands in SKILL.md after its frontmatter, byte for byte');
  return { base };
}

async function readFiles(base) {
  step('skill_file', 'Files of a skill: text as text, anything else as base64 with its media type.');
  const text = 'references/fields.md';
  const picture = 'assets/gradient.png';
  const { files } = await call('skill_file', { name: SKILL, paths: [text, picture] });
  for (const { path, size, mediaType, encoding } of files)
    say(`${path}: ${size} bytes, ${mediaType}, ${encoding}`);
  const bytes = Buffer.from(files[1].content, 'base64');
  say(`the picture is ${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)} pixels`);
  check(files[0].content === readFileSync(join(base, text), 'utf8'), 'the text is the same as on the disk');
  check(bytes.equals(readFileSync(join(base, picture))), 'so is the picture, byte for byte');
}

async function preview() {
  step('skill_run, preview', 'Without a confirmation nothing starts; the answer says exactly what would.');
  const { dryRun, willRun } = await call('skill_run', { name: SKILL, script: 'scripts/report.js' });
  say(`program:   ${willRun.interpreter} ${willRun.argv.join(' ')}`);
  say(`in:        ${willRun.cwd}`);
  say(`at most:   ${willRun.timeoutMs / 1000} s`);
  say(`variables: ${willRun.envNames.join(', ')} (names only)`);
  say(`sha256:    ${willRun.sha256}`);
  say(`fence:     ${willRun.fence.level}`);
  check(dryRun === true, 'it is a dry run');
}

async function report() {
  step(
    'skill_run, confirmed',
    'The same call with the confirmation: the script runs in a supervised process.',
  );
  const args = ['two words', '$HOME', '"quoted"'];
  const result = await run('scripts/report.js', args, { stdin: 'hello' });
  check(result.exitCode === 0, `exit code 0 after ${Math.round(result.durationMs)} ms`);
  const seen = JSON.parse(result.stdout);
  say(`it saw the arguments ${JSON.stringify(seen.args)}`);
  check(JSON.stringify(seen.args) === JSON.stringify(args), 'they arrived unchanged: no shell is involved');
  check(seen.stdinBytes === 5, 'its stdin held the 5 bytes that were sent');
  check(
    JSON.stringify(seen.env) === JSON.stringify(result.env),
    `it saw ${seen.env.length} variables, all of them named in the answer`,
  );
}

async function watch() {
  step('A run with progress', 'A script that takes three seconds; its last line is told while it runs.');
  let notices = 0;
  const onprogress = ({ message }) => {
    notices += 1;
    say(`… ${message ?? ''}`);
  };
  const result = await run('scripts/count.js', ['3'], { onprogress });
  check(result.exitCode === 0 && result.stdout.trimEnd().endsWith('done'), 'it counted to the end');
  check(notices > 0, 'progress arrived while it ran');
}

async function overstay() {
  step(
    'A run that overstays',
    'Two seconds are declared. The script ignores the request to stop, and its helper left the group.',
  );
  const label = `overstay-${process.pid}-${Date.now()}`;
  const running = run('scripts/overstay.js', [label]);
  // Looked up while it runs, or "nothing is left" would also be true of a script that never started.
  const during = await Promise.race([
    waitForProcesses(`--helper ${label}`, (count) => count > 0, ANSWER_MS),
    running.then(() => []),
  ]);
  const result = await running;
  const after = await waitForProcesses(label, (count) => count === 0, 1000);
  say(`ended after ${Math.round(result.durationMs)} ms by ${result.signal}`);
  say(result.stdout.trim().split('\n')[0]);
  check(result.timedOut === true, 'the server ended it when its time was over');
  if (after === undefined) {
    say('(the process table cannot be read on this system, so what follows is not shown)');
    return;
  }
  check(during.length > 0, 'the process table showed the helper while it ran');
  check(after.length === 0, 'the process table shows nothing of it any more');
}

function tellGuarantees(fence) {
  step('What the fence guaranteed', 'The level is found out by a self-test on this machine, never guessed.');
  say(`level "${fence.level}"${fence.reason ? `: ${fence.reason}` : ''}`);
  check(fence.level in GUARANTEES, 'the level is known');
  for (const line of GUARANTEES[fence.level]) say(`- ${line}`);
}

async function disconnect() {
  step('Disconnect', 'The client closes; the server ends with it.');
  const { pid } = transport;
  await client.close();
  const left = await waitForProcesses(SERVER, (count) => count === 0, 3000);
  if (left !== undefined) check(!left.includes(pid), `the server process ${pid} is gone`);
}

try {
  await connect();
  const { fence } = await list();
  const { base } = await load();
  await readFiles(base);
  await preview();
  await report();
  await watch();
  await overstay();
  tellGuarantees(fence);
  await disconnect();
  end('Everything works here.');
} catch (error) {
  fail(error, serverWrote);
  process.exitCode = 1;
  await client.close();
}
