import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory, writeSkill } from './skills.js';

/** Files with names and contents that are easy to get wrong on the way to a client. */
export const AWKWARD_FILES: Readonly<Record<string, string | Buffer>> = {
  'set up.md': 'blank\n',
  'café.md': 'accent\n',
  'x#1?.md': 'hash and question mark\n',
  "it's (1) & more!.md": 'punctuation\n',
  '技能/日本.txt': 'other scripts\n',
  'crlf.txt': 'a\r\nb\r\n',
  'bom.txt': '\ufefftext behind a mark\n',
  'nul.txt': 'a\0b',
  'pixel.png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
  'escapes.txt': '\u001b'.repeat(700_000),
  'full.txt': 'x'.repeat(1024 * 1024),
  empty: '',
};

/** A root with skills that are published, and with two that only the tools serve. */
export function makePublishedRoot(): string {
  const root = makeDirectory();
  writeSkill(root, 'awkward', { description: 'Awkward <b>files</b>.', files: AWKWARD_FILES });
  writeSkill(root, 'plain', { frontmatter: 'license: MIT\nmetadata:\n  author: me\nallowed-tools: [Read]' });
  writeSkill(root, 'nested', { files: { 'a/b/c.md': 'deep\n', 'a/d.md': 'higher\n', 'e.md': 'top\n' } });
  writeSkill(root, 'Large_Name', { files: { 'big.bin': Buffer.alloc(1024 * 1024 + 1) } });
  writeSkill(root, 'linked', { files: { 'a.md': 'target\n' } });
  symlinkSync('a.md', path.join(root, 'linked/b.md'));
  const marked = path.join(root, 'marked');
  mkdirSync(marked);
  const long = 'é'.repeat(250_000);
  writeFileSync(
    path.join(marked, 'SKILL.md'),
    `\ufeff---\r\nname: marked\r\ndescription: Long.\r\n---\r\n${long}`,
  );
  return root;
}
