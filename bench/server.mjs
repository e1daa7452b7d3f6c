// The front as a client meets it: first answer with thousands of skills, a large file, the end.
import { spawn } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChildren, measureInTurns, memoryMiB, waitUntil } from './measure.mjs';

export const SERVER = fileURLToPath(new URL('../dist/skill-mcp.js', import.meta.url));
export const MINIMAL = fileURLToPath(new URL('./minimal-server.mjs', import.meta.url));
export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

/** A server process and a way to ask it one thing at a time. */
export function startServer(program, env) {
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const waiting = new Map();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message.result ?? message.error);
    }
  });
  let id = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const end = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.stdin.end();
    });
  return { child, ask, end, callTool: (name, args) => ask('tools/call', { name, arguments: args }) };
}

export async function makeSkills(root, count) {
  for (let index = 0; index < count; index += 1) {
    const name = `skill-${String(index).padStart(5, '0')}`;
    await mkdir(join(root, name), { recursive: true });
    const text = `---\nname: ${name}\ndescription: Number ${index} of a large catalog, made for measuring.\n---\n# ${name}\n`;
    await writeFile(join(root, name, 'SKILL.md'), text);
  }
}

/** Starts a server, waits for its first answer and ends it. */
export function answerOnce(program, env) {
  return async () => {
    const server = startServer(program, env);
    await server.ask('initialize', INITIALIZE);
    server.child.kill('SIGKILL');
  };
}

export async function measureServer(folder) {
  const many = join(folder, 'many');
  await makeSkills(many, 3000);
  const starts = await measureInTurns(
    {
      minimal: answerOnce(MINIMAL, {}),
      ours: answerOnce(SERVER, { SKILLS_DIR: many }),
    },
    15,
  );
  const rows = [
    {
      what: 'start to initialize answered, 3,000 skills',
      value: `${starts.ours.toFixed(0)} ms, minimal server ${starts.minimal.toFixed(0)} ms`,
      ratio: starts.ours / starts.minimal,
      bar: 1.3,
      good: starts.ours / starts.minimal <= 1.3 && starts.ours < 1500,
    },
  ];

  const big = join(folder, 'big', 'heavy');
  await mkdir(big, { recursive: true });
  await writeFile(join(big, 'SKILL.md'), '---\nname: heavy\ndescription: One large file.\n---\n');
  const handle = await open(join(big, 'large.bin'), 'w');
  for (let written = 0; written < 256; written += 1) await handle.write(Buffer.alloc(1024 * 1024, 65));
  await handle.close();

  const server = startServer(SERVER, { SKILLS_DIR: join(folder, 'big') });
  await server.ask('initialize', INITIALIZE);
  await server.callTool('skill_list', {});
  await server.callTool('skill_load', { name: 'heavy' });
  const before = memoryMiB(server.child.pid, 'VmRSS');
  await server.callTool('skill_file', { name: 'heavy', path: 'large.bin' });
  const grown = memoryMiB(server.child.pid, 'VmHWM') - before;
  rows.push({
    what: 'memory for reading a 256 MiB file',
    value: `${grown} MiB more`,
    bar: '32 MiB',
    good: grown < 32,
  });
  await server.end();

  const cold = startServer(SERVER, { SKILLS_DIR: many });
  await cold.ask('initialize', INITIALIZE);
  const start = performance.now();
  await cold.callTool('skill_list', {});
  const listed = performance.now() - start;
  const warm = await measureInTurns({ list: () => cold.callTool('skill_list', {}) }, 5);
  rows.push({
    what: 'skill_list of 3,000 skills',
    value: `${listed.toFixed(0)} ms cold, ${warm.list.toFixed(0)} ms warm; front ${memoryMiB(cold.child.pid, 'VmRSS')} MiB`,
  });
  await cold.end();

  const busy = startServer(SERVER, {});
  await busy.ask('initialize', INITIALIZE);
  const running = busy.callTool('skill_run', {
    name: 'skill-mcp-demo',
    script: 'scripts/count.js',
    args: ['30'],
    confirm: true,
  });
  running.catch(() => {});
  await waitUntil(() => findChildren(busy.child.pid, 'supervisor-child').length > 0, 5000);
  const [supervisorPid] = findChildren(busy.child.pid, 'supervisor-child');
  const endStart = performance.now();
  await busy.end();
  await waitUntil(() => !isAlive(supervisorPid), 5000);
  const ended = performance.now() - endStart;
  rows.push({
    what: 'stdin ended during a run: everything gone',
    value: `${ended.toFixed(0)} ms`,
    bar: '2,000 ms',
    good: ended < 2000,
  });
  return rows;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return memoryMiB(pid, 'VmRSS') > 0;
  } catch {
    return false;
  }
}
