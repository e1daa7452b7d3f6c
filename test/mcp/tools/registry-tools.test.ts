import { expect, it } from 'vitest';
import { writeListing } from '../../../src/mcp/tools/list-skills.js';
import { writePublication } from '../../../src/mcp/tools/publish-skill.js';

it('a table keeps its three columns whatever stands in a cell', () => {
  const text = writeListing({
    repo: 'acme/skills',
    branch: 'main',
    skills: [{ slug: 'a', name: 'a|b\\|c', description: 'one\ntwo\\\\|three|', treeSha: 'x' }],
    problems: [{ slug: 'bad', reason: 'no SKILL.md' }],
  });
  expect(text.split('\n')).toEqual([
    '| slug | name | description |',
    '| --- | --- | --- |',
    String.raw`| a | a\|b\\\|c | one two\\\\\|three\| |`,
    '',
    'No usable skill:',
    '- bad: no SKILL.md',
  ]);
});

it('an empty registry is one sentence', () => {
  expect(writeListing({ repo: 'acme/skills', branch: 'main', skills: [], problems: [] })).toBe(
    'No skills found in acme/skills.',
  );
});

it('a publication is one line with commit and address, a dry run a list', () => {
  const base = {
    slug: 'demo',
    commit: 'abcdef0123',
    treeSha: 'x',
    url: 'https://github.com/acme/skills/tree/abcdef0/demo',
    skipped: [],
    diff: [{ path: 'a', change: 'added' as const }],
  };
  expect(writePublication({ ...base, status: 'created' }, 'acme/skills')).toBe(
    'Published `demo` to acme/skills@abcdef0. View: https://github.com/acme/skills/tree/abcdef0/demo',
  );
  expect(writePublication({ ...base, status: 'unchanged' }, 'acme/skills')).toContain('unchanged');
  expect(
    writePublication({ ...base, status: 'dry-run', skipped: ['.git'] }, 'acme/skills')
      .split('\n')
      .slice(1),
  ).toEqual(['- added: a', 'Left out: .git']);
});
