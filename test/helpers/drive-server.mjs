// Drives an installed server the way a client does, from whatever folder this is started in:
//   node drive-server.mjs COMMAND [ARGUMENT...]
// Prints one line per thing that works; the first one that does not ends it with exit code 1.
import { strict as assert } from 'node:assert';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
// Nothing else is handed on: no HOME, no LANG, no variable of the caller's.
const transport = new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? '' } });
const client = new Client({ name: 'drive-server', version: '1.0.0' });
const patience = { timeout: 20_000 };

async function call(name, input) {
  const answer = await client.callTool({ name, arguments: input }, patience);
  assert.ok(!answer.isError, `${name}: ${answer.content[0]?.text}`);
  return answer.structuredContent;
}

try {
  await client.connect(transport, patience);
  console.log(`initialize: ${client.getServerVersion()?.name} ${client.getServerVersion()?.version}`);
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name).sort();
  assert.deepEqual(names, ['skill_file', 'skill_list', 'skill_load', 'skill_run']);
  console.log(`tools/list: ${names.join(' ')}`);
  const { skills } = await call('skill_list', {});
  assert.deepEqual(
    skills.map(({ name }) => name),
    ['skill-mcp-demo'],
  );
  console.log('skill_list: the example skill');
  const request = { name: 'skill-mcp-demo', script: 'scripts/report.js', args: ['a b'] };
  const { confirmToken } = await call('skill_run', request);
  const result = await call('skill_run', { ...request, confirm: true, confirmToken });
  assert.equal(result.exitCode, 0, result.stderr);
  assert.deepEqual(JSON.parse(result.stdout).args, ['a b']);
  console.log(`skill_run: exit 0 at level ${result.fence.level}, Node ${JSON.parse(result.stdout).node}`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await client.close();
}
