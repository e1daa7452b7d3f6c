import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Content of one path: bytes, or where a symlink points. */
export type Leaf = string | Uint8Array | { readonly link: string };

/** Makes a real temporary directory with the given files and links; it is removed when the test ends. */
export function makeTree(leaves: Readonly<Record<string, Leaf>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skill-mcp-test-')));
  // The child that reads as another user has to get in.
  chmodSync(root, 0o755);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  addToTree(root, leaves);
  return root;
}

/** Adds files and links below a directory. */
export function addToTree(root: string, leaves: Readonly<Record<string, Leaf>>): void {
  for (const [path, leaf] of Object.entries(leaves)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    if (typeof leaf === 'object' && 'link' in leaf) symlinkSync(leaf.link, full);
    else writeFileSync(full, leaf);
  }
}

/** A SKILL.md with a frontmatter of these lines. */
export function skillMd(lines: string, body = 'Body\n'): string {
  return `---\n${lines}\n---\n${body}`;
}

/** A small good SKILL.md. */
export function plainSkill(name: string): string {
  return skillMd(`name: ${name}\ndescription: Does ${name}.`);
}
