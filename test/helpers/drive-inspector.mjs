// Drives the server by the command line of MCP Inspector, in both protocol eras, and ends with 0 when every call did.
// Needs @modelcontextprotocol/inspector in a folder of its own (npm i --prefix DIR @modelcontextprotocol/inspector@2.12.0):
//   node test/helpers/drive-inspector.mjs DIR [server.js]
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const [folder, server = fileURLToPath(new URL('../../dist/skill-mcp.js', import.meta.url))] =
  process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: drive-inspector.mjs FOLDER_WITH_INSPECTOR [SERVER]');
  process.exit(2);
}
const entry = `${folder}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;
const NAME = 'skill-mcp-demo';

/** Each call of the inspector, and what its answer has to hold. --strict and --verify make it judge by itself. */
const CALLS = [
  [['--method', 'tools/list', '--strict'], ({ tools }) => tools.length >= 4],
  [['--method', 'prompts/list'], ({ prompts }) => prompts.some(({ name }) => name === NAME)],
  [['--method', 'prompts/get', '--prompt-name', NAME], ({ messages }) => messages.length === 2],
  [['--method', 'resources/list'], ({ resources }) => resources.length > 4],
  [['--method', 'resources/templates/list'], ({ resourceTemplates }) => resourceTemplates.length === 1],
  [
    ['--method', 'resources/read', '--uri', `skill://${NAME}/assets/gradient.png`],
    ({ contents }) => contents[0].blob.startsWith('iVBOR'),
  ],
  [
    ['--method', 'resources/directory/read', '--uri', `skill://${NAME}/scripts`],
    ({ resources }) => resources.length === 3,
  ],
  // One line for each skill.
  [
    ['--method', 'skills/list', '--verify'],
    ({ files }) => files.length === 6 && files.every(({ status }) => status === 'verified'),
  ],
  [
    ['--method', 'skills/get', '--uri', `skill://${NAME}/SKILL.md`, '--verify'],
    (answer) => JSON.stringify(answer).includes('sha256:'),
  ],
  [
    ['--method', 'tools/call', '--tool-name', 'skill_load', '--tool-arg', `name=${NAME}`],
    ({ structuredContent }) => structuredContent.name === NAME,
  ],
];

const run = promisify(execFile);
let failures = 0;
for (const era of ['legacy', 'modern']) {
  for (const [args, isGood] of CALLS) {
    const command = [entry, '--cli', process.execPath, server, '--protocol-era', era, ...args];
    const what = `${era}: ${args.slice(1).join(' ')}`;
    try {
      const { stdout } = await run(process.execPath, command, { timeout: 60_000, maxBuffer: 1 << 26 });
      if (!isGood(JSON.parse(stdout))) throw new Error(`unexpected answer: ${stdout.slice(0, 1_000)}`);
      console.log(`ok      ${what}`);
    } catch (error) {
      failures += 1;
      console.log(`FAILED  ${what}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.message}`);
    }
  }
}
process.exitCode = failures === 0 ? 0 : 1;
