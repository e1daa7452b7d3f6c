import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../src/config/environment.js';

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

  it('has one version, that of package.json, in every manifest', () => {
    const server = JSON.parse(read('server.json'));
    const plugin = JSON.parse(read('.claude-plugin/plugin.json'));
    const market = JSON.parse(read('.claude-plugin/marketplace.json'));
    const versions = [
      JSON.parse(read('package-lock.json')).version,
      server.version,
      ...server.packages.map((entry: { version: string }) => entry.version),
      JSON.parse(read('manifest.json')).version,
      plugin.version,
      market.metadata.version,
      ...market.plugins.map((entry: { version: string }) => entry.version),
    ];
    expect(versions).toHaveLength(7);
    expect(new Set(versions)).toEqual(new Set([manifest.version]));
  });

  it('is described to registries as itself', () => {
    const server = JSON.parse(read('server.json'));
    expect(server.name).toBe(manifest.mcpName);
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    const [entry] = server.packages;
    expect(entry).toMatchObject({
      registryType: 'npm',
      identifier: manifest.name,
      transport: { type: 'stdio' },
    });
    const known = new Set(VARIABLES.map(({ name }) => name));
    for (const { name } of entry.environmentVariables) expect(known).toContain(name);
  });

  it('is started by every manifest through the built entry', () => {
    const bundle = JSON.parse(read('manifest.json'));
    const plugin = JSON.parse(read('.claude-plugin/plugin.json'));
    expect(bundle.server.entry_point).toBe(manifest.bin['skill-mcp']);
    expect(bundle.server.mcp_config.args).toEqual([`\${__dirname}/${manifest.bin['skill-mcp']}`]);
    expect(Object.keys(bundle.user_config)).toEqual(['skills_dir']);
    expect(bundle.compatibility.runtimes.node).toBe(manifest.engines.node);
    const [server] = Object.values<{ args: string[] }>(plugin.mcpServers);
    expect(server?.args).toEqual([`\${CLAUDE_PLUGIN_ROOT}/${manifest.bin['skill-mcp']}`]);
  });
});
