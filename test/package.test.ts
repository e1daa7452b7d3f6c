import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const project = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(`${project}/${file}`, 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('the package', () => {
  it('has a chapter of its version in the changelog, above which only unreleased changes stand', () => {
    const [first, second] = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
    expect([first, second]).toEqual(['Unreleased', manifest.version]);
  });

  it('lists only files that exist', () => {
    const files: string[] = manifest.files;
    for (const file of files) expect(existsSync(`${project}/${file}`), file).toBe(true);
  });

  it('installs without its build tools, and says what that means', () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'skill-mcp-prepare-'));
    copyFileSync(`${project}/prepare.config.mjs`, path.join(elsewhere, 'prepare.mjs'));
    const { stdout, status } = spawnSync(process.execPath, ['prepare.mjs'], {
      cwd: elsewhere,
      encoding: 'utf8',
    });
    rmSync(elsewhere, { recursive: true });
    expect(stdout).toMatch(/^skill-mcp: dist\/ is not built, .*esbuild, typescript.* Run: npm ci\n$/);
    expect(status).toBe(0);
  });

  it('proposes a registration that reaches nothing and decides nothing for its owner', () => {
    const mint = parse(read('mint.yaml'));
    expect(Object.keys(mint).sort()).toEqual(['egress', 'name', 'slug', 'summary', 'version']);
    expect(mint.version).toBe(1);
    expect(mint.egress).toEqual({ allow: [] });
  });
});
