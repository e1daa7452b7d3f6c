import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Skill } from '../../src/skill/skill.js';
import { readBody } from '../../src/skill/skill-md.js';
import { problemsOf, scan } from '../helpers/scan.js';
import { makeTree, plainSkill, skillMd } from '../helpers/skill-tree.js';

async function onlySkill(content: string | Uint8Array, others: Record<string, string> = {}): Promise<Skill> {
  const { skills } = await scan([makeTree({ 'one/SKILL.md': content, ...others })]);
  const [skill] = skills;
  if (skill === undefined) throw new Error('no skill was found');
  return skill;
}

describe('readBody', () => {
  it('gives everything behind the fence as it is', async () => {
    const body = 'A\r\n\n---\n\nB\n```yaml\n---\nk: v\n---\n```\n\ufeff end \u202e';
    const skill = await onlySkill(skillMd('description: x\nmetadata: {a: 1}\nwhen-to-use: often', body));
    expect(await readBody(skill)).toEqual({
      description: 'x',
      whenToUse: 'often',
      body,
      truncated: false,
      frontmatter: { description: 'x', metadata: { a: 1 }, 'when-to-use': 'often' },
    });
    const marked = await onlySkill(`\ufeff---\nname: one\ndescription: x\n---\nBody`);
    expect(marked).not.toHaveProperty('frontmatterName');
    expect((await readBody(marked)).body).toBe('Body');
    expect((await readBody(await onlySkill('---\nname: e\ndescription: x\n---'))).body).toBe('');
  });

  it('is cut at a character when the whole file is over 256 KiB', async () => {
    const head = '---\nname: one\ndescription: x\n---\n';
    const body = `${'x'.repeat(256 * 1024 - head.length - 2)}😀 and more`;
    const root = makeTree({ 'one/SKILL.md': head + body });
    const catalog = await scan([root]);
    const skill = catalog.find('one');
    if (skill === undefined) throw new Error('not served');
    const read = await readBody(skill);
    expect(read.truncated).toBe(true);
    expect(read.truncationNote).toMatch(/^first 262144 of \d+ bytes/);
    expect(read.body).toBe(body.slice(0, body.indexOf('😀')));
    expect(problemsOf(catalog, 'file-limit')).toHaveLength(1);
  });

  it('says that a skill is gone, changed, or something else now', async () => {
    const skill = await onlySkill(plainSkill('one'));
    const path = join(skill.directory, 'SKILL.md');
    writeFileSync(path, plainSkill('two').replace('Body', 'New body'));
    expect((await readBody(skill)).body).toBe('New body\n');
    writeFileSync(path, '# Title');
    await expect(readBody(skill)).rejects.toThrow(/has changed and cannot be read: no frontmatter/);
    rmSync(path);
    await expect(readBody(skill)).rejects.toThrow(/"one" is gone since the scan/);
    execFileSync('mkfifo', [path]);
    await expect(readBody(skill)).rejects.toThrow(/not a regular file \(FIFO\)/);
    rmSync(skill.directory, { recursive: true });
    await expect(readBody(skill)).rejects.toThrow(/gone since the scan/);
  });
});

describe('declared scripts', () => {
  it('that are missing, outside or no files are reported and never runnable', async () => {
    const run = ['a.js', 'gone.js', 'lib', 'out.js', 'in.js', '../x.js']
      .map((script) => `    - {script: ${script}, interpreter: node}`)
      .join('\n');
    const root = makeTree({
      'one/SKILL.md': skillMd(`description: x\nmcp-host:\n  version: 1\n  run:\n${run}`),
      'one/a.js': '',
      'one/lib/b.js': '',
      'one/in.js': { link: 'a.js' },
      'one/out.js': { link: '/bin/sh' },
    });
    const catalog = await scan([root]);
    const skill = catalog.find('one');
    expect(skill?.declaration.run.map(({ script }) => script)).toEqual(['a.js', 'in.js']);
    expect(skill?.missingScripts.map(({ script }) => script)).toEqual([
      '../x.js',
      'gone.js',
      'lib',
      'out.js',
    ]);
    expect(problemsOf(catalog, 'declared-script-missing')).toEqual([
      expect.objectContaining({
        path: join(root, 'one/gone.js'),
        detail: 'declared script is not in the bundle',
      }),
      expect.objectContaining({ detail: 'declared script is not a regular file (directory)' }),
      expect.objectContaining({ detail: 'declared script resolves outside the skill' }),
    ]);
    expect(skill?.insideLinks).toBe(1);
  });
});
