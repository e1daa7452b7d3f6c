import { describe, expect, it } from 'vitest';
import { stripProvenance, writeProvenance } from '../../src/registry/provenance.js';
import { readSkillHead } from '../../src/registry/skill-head.js';

const FIELDS = { 'github-repo': 'https://github.com/a/b', 'github-ref': 'refs/tags/x/v1.0.0' };
const file = (block: string, body = '\n# T\n---\nend') => Buffer.from(`---\n${block}---${body}`);

describe('where an installed skill comes from', () => {
  it.each([
    'name: x\ndescription: y\n',
    'name: x\n# a comment\nmetadata:\n    owner: me # mine\n    tags: [a, b]\ndescription: >-\n  long\n  text\n',
    'metadata: # why\n  owner: me\nname: x\n',
    'name: x\r\ndescription: y\r\n',
    'name: x\nmetadata:\n  owner:\n    deep: 1\n',
  ])('goes into the metadata and out again without a trace: %j', (block) => {
    const before = file(block);
    const written = writeProvenance(before, FIELDS);
    const head = readSkillHead(written);
    expect(head).toMatchObject({ values: { metadata: FIELDS } });
    expect(stripProvenance(written)).toEqual(before);
    expect(written.toString().endsWith('---\n# T\n---\nend')).toBe(true);
  });

  it('replaces what an earlier installation wrote', () => {
    const once = writeProvenance(file('name: x\n'), { ...FIELDS, 'github-pinned': 'v1' });
    expect(writeProvenance(once, FIELDS)).toEqual(writeProvenance(file('name: x\n'), FIELDS));
  });

  it('survives metadata in one line, and a byte-order mark', () => {
    const flow = file('name: x\nmetadata: {owner: me}\n');
    const written = writeProvenance(flow, FIELDS);
    expect(readSkillHead(written)).toMatchObject({ values: { metadata: { owner: 'me', ...FIELDS } } });
    expect(readSkillHead(stripProvenance(written))).toMatchObject({ values: { metadata: { owner: 'me' } } });
    const marked = Buffer.concat([Buffer.from('\ufeff'), file('name: x\n')]);
    expect(stripProvenance(writeProvenance(marked, FIELDS))).toEqual(marked);
  });

  it('is left alone where there is nothing to read', () => {
    const broken = Buffer.from('no frontmatter github-repo: x');
    expect(stripProvenance(broken)).toBe(broken);
    expect(() => writeProvenance(broken, FIELDS)).toThrow(/frontmatter/);
  });
});
