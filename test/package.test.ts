import { existsSync, readFileSync } from 'node:fs';
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

  it('proposes a registration that reaches nothing and decides nothing for its owner', () => {
    const mint = parse(read('mint.yaml'));
    expect(Object.keys(mint).sort()).toEqual(['egress', 'name', 'slug', 'summary', 'version']);
    expect(mint.version).toBe(1);
    expect(mint.egress).toEqual({ allow: [] });
  });
});
