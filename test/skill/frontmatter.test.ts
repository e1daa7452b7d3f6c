import { describe, expect, it } from 'vitest';
import { type Frontmatter, readFrontmatter } from '../../src/skill/frontmatter.js';

function read(block: string, strict = false): Frontmatter {
  const result = readFrontmatter(`${block}\n`, { strict });
  if ('fault' in result) throw new Error(`unexpected fault: ${result.fault}`);
  return result;
}

function faultOf(block: string, strict = false): string {
  const result = readFrontmatter(`${block}\n`, { strict });
  if (!('fault' in result)) throw new Error('parsed without a fault');
  return result.fault;
}

const details = (block: string, strict = false): string[] =>
  read(block, strict).findings.map(({ reason, detail }) => `${reason}: ${detail}`);

describe('values', () => {
  it.each([
    ['>-\n  first line\n  second line\n', 'first line second line'],
    ['|\n  first line\n  second line', 'first line\nsecond line\n'],
    ['|-\n  one\n  ---\n  two', 'one\n---\ntwo'],
    ['>+\n  kept\n\n', 'kept\n\n\n'],
    ['|2\n    indented', '  indented\n'],
    ['a --- b', 'a --- b'],
    ['"quoted: with colon # and hash"', 'quoted: with colon # and hash'],
    ['Q&A and *all* of it', 'Q&A and *all* of it'],
    ['interior \ufeff mark', 'interior \ufeff mark'],
  ])('reads the scalar %j as YAML 1.2 says', (value, expected) => {
    const found = read(`description: ${value}\nname: x`);
    expect(found.description).toBe(expected);
    expect(found.name).toBe('x');
    expect(found.findings).toEqual([]);
  });

  it('takes blank, null and missing names as missing, without a word', () => {
    for (const name of ['name: ""', 'name: "  "', 'name:', 'name: ~', 'license: MIT']) {
      const found = read(`${name}\ndescription: x`);
      expect(found).not.toHaveProperty('name');
      expect(found.findings).toEqual([]);
    }
  });

  it('reports a missing or blank description', () => {
    for (const block of ['name: x', 'description: "   "', 'description:', '']) {
      expect(details(block)).toEqual(['description: description is missing']);
    }
  });

  it('lets a value of another type cost itself alone', () => {
    const found = read('name: 12306\ndescription: x\nwhen-to-use: [a]');
    expect(found).not.toHaveProperty('name');
    expect(found.description).toBe('x');
    expect(found.findings).toEqual([
      { reason: 'malformed-frontmatter', detail: 'name must be a string (got number) at 2:7' },
      { reason: 'malformed-frontmatter', detail: 'when-to-use must be a string (got list) at 4:14' },
    ]);
    expect(details('name: true\ndescription: {a: b}')).toEqual([
      'malformed-frontmatter: name must be a string (got boolean) at 2:7',
      'description: description must be a string (got mapping) at 3:14',
    ]);
  });

  it('counts the description in code points', () => {
    expect(details(`description: ${'😀'.repeat(1024)}`)).toEqual([]);
    for (const length of [1025, 5000]) {
      const block = `description: ${'😀'.repeat(length)}`;
      expect(details(block)).toEqual([expect.stringContaining(`description has ${length} characters`)]);
      expect(read(block).description).toHaveLength(length * 2);
    }
  });

  it('says where a comment cut the description', () => {
    const block = 'description: Close ticket #123 and then # tidy up\nname: x';
    expect(read(block).description).toBe('Close ticket');
    expect(details(block)).toEqual(['description: description cut by a comment at 2:27; quote it']);
    expect(details('description: "a # b"\nname: x')).toEqual([]);
    expect(details('name: x\n# note\ndescription: a#b')).toEqual([]);
  });

  it('reads when-to-use in both spellings', () => {
    expect(read('description: x\nwhen-to-use: a').whenToUse).toBe('a');
    expect(read('description: x\nwhen_to_use: a').whenToUse).toBe('a');
    const both = 'description: x\nwhen_to_use: a\nwhen-to-use: b';
    expect(read(both).whenToUse).toBe('b');
    expect(details(both)).toEqual([expect.stringContaining('when_to_use is ignored')]);
  });

  it('takes nothing but a boolean for disable-model-invocation', () => {
    expect(read('description: x\ndisable-model-invocation: true').disableModelInvocation).toBe(true);
    expect(read('description: x\ndisable-model-invocation: false').disableModelInvocation).toBe(false);
    const text = 'description: x\ndisable-model-invocation: "yes"';
    expect(read(text).disableModelInvocation).toBe(false);
    expect(details(text)).toEqual([expect.stringContaining('must be true or false (got string) at 3:27')]);
  });

  it('names unknown keys and leaves known ones in peace', () => {
    const known = [
      'allowed-tools: [Read, Bash]',
      'allowed-tools: "*"',
      'allowed-tools: Read, Bash',
      'allowed-tools:\n  - Read',
      'metadata:\n  owner: {team: a}\n  tags: [x, y]',
      'version: 1.0',
      'author: a',
      'license: MIT',
      'compatibility: any',
      'user-invocable: false',
      'argument-hint: "[a]"',
      'arguments: x',
      'model: m',
      'context: fork',
      'agent: a',
      'hooks: {}',
      'paths: a',
      'effort: high',
      'shell: bash',
      'tags: [a]',
      'category: c',
    ];
    for (const line of known) expect(details(`description: x\n${line}`)).toEqual([]);
    expect(details('description: x\nfoo: 1\nname_: y\n12: z')).toEqual([
      'declaration: unknown keys ignored: foo, name_, 12',
    ]);
  });

  it('hands the whole block over as plain values', () => {
    expect(read('description: x\nmetadata: {a: [1, b]}\n__proto__: {y: 1}').values).toEqual(
      Object.fromEntries([
        ['description', 'x'],
        ['metadata', { a: [1, 'b'] }],
        ['__proto__', { y: 1 }],
      ]),
    );
  });

  it('reads a block that a formatter turned into headings as what YAML sees', () => {
    expect(details('\n## name: x\nversion: 1')).toEqual(['description: description is missing']);
  });
});

describe('what does not parse [skills.frontmatter]', () => {
  it.each([
    ['name:\u00a0x', /not a mapping at 2:1/],
    ['name： x', /not a mapping/],
    ['- a\n- b', /not a mapping/],
    ['description: x\nname: a\nname: b', /duplicate key at 4:1/],
    ['description: x\nmetadata:\n  a: 1\n  a: 2', /duplicate key at 5:3/],
    ['description: &x y', /anchor &x refused at 2:/],
    ['description: x\nname: *all', /alias \*all refused at 3:7/],
    ['a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]', /refused/],
    ['description: !foo x', /at 2:14/],
    ['description: x\n\ttab: y', /at 3:1/],
    ['description: x\n...\nname: y', /more than one document/],
    ['description: "open', /at \d+:\d+/],
    ['description: x\nlist: [a', /at \d+:\d+/],
  ])('refuses %j with its place', (block, fault) => {
    expect(faultOf(block)).toMatch(fault);
  });

  it('counts columns in characters', () => {
    expect(faultOf('"😀😀": &x y')).toMatch(/at 2:10$/);
    expect(faultOf('"😀😀": *y')).toMatch(/at 2:7$/);
  });

  it('survives nesting and size that would end a recursion', () => {
    const started = performance.now();
    expect(faultOf('['.repeat(20_000))).toMatch(/nested too deep|at \d+:\d+/);
    expect(faultOf(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toMatch(/nested too deep/);
    expect(faultOf(`${'{a: '.repeat(12_000)}1${'}'.repeat(12_000)}`)).toMatch(/nested too deep/);
    expect(faultOf('- '.repeat(30_000))).toMatch(/nested too deep/);
    for (const depth of [100, 200, 300, 400, 500, 600]) {
      const result = readFrontmatter(`a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`, { strict: false });
      expect(result).toBeDefined();
    }
    expect(details(Array.from({ length: 6_000 }, (_, index) => `k${index}: v`).join('\n'))).toHaveLength(2);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('recovery of unquoted values [skills.recovered]', () => {
  it.each([
    ['description: Use when: the user asks', 'Use when: the user asks', '2:14'],
    ['name: x\ndescription: `tool` does it', '`tool` does it', '3:14'],
    ['description: @scope/pkg helper', '@scope/pkg helper', '2:14'],
    ['description: %d formats', '%d formats', '2:14'],
    ['description: ends with a colon:', 'ends with a colon:', '2:14'],
    ['description: One.\n  Note: two # three\n  four', 'One. Note: two # three four', '3:3'],
    [
      'description:\n  Asks about a plan. Goes with the sketch skill: ask first,\n  then draw.',
      'Asks about a plan. Goes with the sketch skill: ask first, then draw.',
      '3:3',
    ],
    ['description: a: b\r', 'a: b', '2:14'],
    ['description: say "hi": \\n stays', 'say "hi": \\n stays', '2:14'],
    ['description: 😀 use: x', '😀 use: x', '2:14'],
  ])('quotes %j and says where', (block, description, place) => {
    const found = read(block);
    expect(found.description).toBe(description);
    expect(found.findings[0]).toEqual({
      reason: 'malformed-frontmatter',
      detail: `recovered: quote the value at ${place}`,
    });
    expect(faultOf(block, true)).toMatch(new RegExp(`at \\d+:\\d+; quote the value at ${place}$`));
  });

  it('keeps the type of what parses and the lines of what follows', () => {
    const found = read('description: a: b\n  c\ndisable-model-invocation: true\nname: 7');
    expect(found.disableModelInvocation).toBe(true);
    expect(found.findings[1]?.detail).toBe('name must be a string (got number) at 5:7');
  });

  it('names every quoted value', () => {
    expect(read('name: a: b\ndescription: c: d').findings[0]?.detail).toBe(
      'recovered: quote the value at 2:7, 3:14',
    );
  });

  it.each([
    'description: "x" y: z',
    'description: [a] [b]',
    'description: *x: y',
    'description: > x: y',
    'metadata:\n  owner: a: b',
    'description: x\n- y',
    'description: x\n\ttab: y',
  ])('guesses at nothing else: %j', (block) => {
    expect(faultOf(block)).toMatch(/ at \d+:\d+/);
  });

  it('keeps the words and takes the scripts', () => {
    const block =
      'description: Use when: asked\nmcp-host:\n  version: 1\n  run:\n    - {script: a.js, interpreter: node}';
    const { declaration, findings } = read(block);
    expect(declaration.declaration.run).toEqual([]);
    expect(declaration.refused).toEqual([{ script: 'a.js', reason: expect.stringContaining('recovered') }]);
    expect(findings.map(({ reason }) => reason)).toEqual(['malformed-frontmatter', 'declaration']);
  });

  it('takes bounded time on a long line that is nothing', () => {
    const started = performance.now();
    faultOf(`"\na${' '.repeat(60_000)}b`);
    faultOf(`${'a: b: c\n'.repeat(7_000)}"`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
