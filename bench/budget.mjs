// npm run budget: what the tools of the group `find` add to every step of an agent, measured on what the built
// server really sends.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { costOf, firstLine, MAX_COST, MAX_PROSE, renderTool } from './render-tools.mjs';

const SERVER = fileURLToPath(new URL('../dist/skill-mcp.js', import.meta.url));
const ANSWER_WITHIN_MS = 20_000;

/** Instructions and tools of a server that was started with the group `find` alone. */
async function readServer() {
  const child = spawn(process.execPath, [SERVER, '--toolsets', 'find'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const guard = setTimeout(() => child.kill('SIGKILL'), ANSWER_WITHIN_MS);
  const answers = new Map();
  const ask = (id, method, params) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  ask(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'budget', version: '1.0.0' },
  });
  ask(2, 'tools/list', {});
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      answers.set(id, result);
    }
    if (answers.has(1) && answers.has(2)) break;
  }
  clearTimeout(guard);
  child.stdin.end();
  return { instructions: answers.get(1).instructions, tools: answers.get(2).tools };
}

const { instructions, tools } = await readServer();
const lines = [...tools.map(renderTool), instructions];
const cost = lines.reduce((sum, line) => sum + costOf(line), 0);
const prose = [...tools.map(({ description }) => firstLine(description)), instructions].join('').length;
for (const line of lines) console.log(`${String(costOf(line)).padStart(4)}  ${line}`);
console.log(
  `\n${cost} of ${MAX_COST} tokens; first lines and instructions ${prose} of ${MAX_PROSE} characters`,
);
process.exitCode = cost <= MAX_COST && prose <= MAX_PROSE && tools.length === 4 ? 0 : 1;
