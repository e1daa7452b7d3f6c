import { makeDirectory, nodeScript, writeSkill } from './skills.js';

/** A root with one skill that can do everything the tests need, and one that only instructs. */
export function makeExampleRoot(): string {
  const root = makeDirectory();
  writeSkill(root, 'tools', {
    description: 'Scripts for tests.',
    body: 'Use the scripts.\n\n---\n\nAnd read notes.md.\n',
    run: [
      nodeScript('scripts/echo.js', 'env: [GRANTED, MISSING]'),
      nodeScript('scripts/fail.js'),
      nodeScript('scripts/slow.js', 'timeout: 30'),
      nodeScript('scripts/stubborn.js', 'timeout: 60'),
      nodeScript('scripts/escape.js'),
      nodeScript('scripts/spy.js', 'env: [GRANTED]'),
      'script: scripts/snake.py\ninterpreter: python',
    ],
    files: {
      'notes.md': '# Notes\n',
      'large.txt': 'x'.repeat(1024 * 1024),
      'pixel.png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
      'scripts/echo.js': ECHO,
      'scripts/fail.js': "console.log('out'); console.error('err'); process.exitCode = 3;\n",
      'scripts/slow.js':
        "let n = 0; setInterval(() => console.log('line', ++n), 200); setTimeout(() => process.exit(), 20_000);\n",
      'scripts/stubborn.js': STUBBORN,
      'scripts/escape.js':
        "process.stdout.write('\\u001b'.repeat(1024 * 1024)); process.stderr.write('\"'.repeat(9));\n",
      'scripts/spy.js': SPY,
      'scripts/snake.py': 'print(1)\n',
    },
  });
  writeSkill(root, 'words', { description: 'Only words.' });
  return root;
}

const ECHO = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const stdin = Buffer.concat(chunks).toString();
  console.log(JSON.stringify({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), stdin }));
});
`;

/** Ignores SIGTERM, with a child that does the same in a session of its own; both end after 30 s. */
const STUBBORN = `
process.on('SIGTERM', () => {});
const { spawn } = require('node:child_process');
const stay = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 30_000)";
spawn(process.execPath, ['-e', stay, 'stubborn-helper'], { detached: true, stdio: 'ignore' });
setInterval(() => console.log('still here'), 200);
setTimeout(() => process.exit(), 30_000);
`;

/** Looks for the server's variables in every process that it can see. */
const SPY = `
const fs = require('node:fs');
const seen = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
  try { return fs.readFileSync('/proc/' + pid + '/environ', 'utf8').includes('not-for-scripts') ? [pid] : []; } catch { return []; }
});
console.log(JSON.stringify({ seen }));
`;
