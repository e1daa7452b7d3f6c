import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const driver = path.join(project, 'test/helpers/drive-server.mjs');
const scratch = mkdtempSync(path.join(tmpdir(), 'skill-mcp-packed-'));
const installed = path.join(scratch, 'node_modules/@skill-mcp/server');

/** What npm says when there is no way to the registry, as opposed to a package that cannot be installed. */
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

function npm(args: string[], cwd: string) {
  return spawnSync('npm', [...args, '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    timeout: 110_000, // ms; a registry that does not answer
  });
}

let offline = false;

beforeAll(() => {
  // Scripts are left out: `prepare` would rebuild dist/ under the tests that are using it at this moment.
  const packed = npm(['pack', '--json', '--pack-destination', scratch], project);
  expect(packed.status, packed.stderr).toBe(0);
  const tarball = readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '';
  const added = npm(
    ['install', '--prefer-offline', '--prefix', scratch, path.join(scratch, tarball)],
    scratch,
  );
  offline = added.status !== 0 && NO_NETWORK.test(added.stderr);
  if (!offline) expect(added.status, added.stderr).toBe(0);
}, 120_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('the packed product, installed into an empty folder', () => {
  const skipOffline = (skip: (note: string) => void) => {
    if (offline) skip('the npm registry cannot be reached, so nothing could be installed');
  };

  it('serves and runs through its node_modules/.bin link, from another folder [package.installed]', ({
    skip,
  }) => {
    skipOffline(skip);
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'skill-mcp-elsewhere-'));
    const link = path.join(scratch, 'node_modules/.bin/skill-mcp');
    const driven = spawnSync(process.execPath, [driver, link], {
      cwd: elsewhere,
      encoding: 'utf8',
      timeout: 60_000,
    });
    rmSync(elsewhere, { recursive: true });
    expect(driven.status, driven.stderr).toBe(0);
    expect(driven.stdout).toContain('skill_run: exit 0');
  }, 70_000);

  it('offers the supervisor to importers, with its types [library.import]', ({ skip }) => {
    skipOffline(skip);
    const program = [
      "import { Supervisor } from '@skill-mcp/server/supervisor';",
      'const supervisor = new Supervisor();',
      "const run = { file: process.execPath, args: ['-e', 'console.log(6 * 7)'], cwd: process.cwd() };",
      'const result = await supervisor.run(run);',
      'await supervisor.close();',
      'console.log(result.exitCode, String(result.stdout));',
    ].join('\n');
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: scratch,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toBe('0 42\n\n');
    const consumer = path.join(scratch, 'consumer.mts');
    writeFileSync(consumer, `${program}\nresult.exitCode satisfies number | null;\n`);
    const tsc = path.join(project, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const roots = ['--typeRoots', path.join(project, 'node_modules/@types')];
    const checked = spawnSync(process.execPath, [tsc, ...options, ...roots, consumer], {
      cwd: scratch,
      encoding: 'utf8',
    });
    expect(checked.stdout).toBe('');
    expect(checked.status).toBe(0);
  }, 70_000);

  it('brings its licence and the licences of all that it bundles [package.licences]', ({ skip }) => {
    skipOffline(skip);
    expect(existsSync(path.join(installed, 'LICENSE'))).toBe(true);
    const notices = readFileSync(path.join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const named = [...notices.matchAll(/^(\S+) \d[\w.-]* \(.+\)$/gm)].map(([, name]) => name);
    const bundled = ['zod', 'yaml', 'execa', 'tree-kill', '@modelcontextprotocol/server'];
    expect(named).toEqual(expect.arrayContaining(bundled));
  });
});
