import { describe, expect, it } from 'vitest';
import { readFrontmatter } from '../../src/skill/frontmatter.js';

function read(block: string) {
  const result = readFrontmatter(`description: x\n${block}\n`, { strict: false });
  if ('fault' in result) throw new Error(result.fault);
  const { declaration, refused } = result.declaration;
  const reports = result.findings.map(({ reason, detail }) => {
    expect(reason).toBe('declaration');
    return detail;
  });
  return { ...declaration, refused, reports };
}

const withRun = (entry: string): string => `mcp-host:\n  version: 1\n  run:\n    - ${entry}`;

describe('the mcp-host block [declare.block]', () => {
  it('is read whole', () => {
    const block = `mcp-host:
  version: 1
  run:
    - script: scripts/forecast.js
      interpreter: node
      env: [WEATHER_API_KEY]
      timeout: 30
    - script: b.js
      interpreter: python
  env:
    - name: WEATHER_API_KEY
      secret: true
  egress: [api.weather.example, "*.example.org", "host:8443"]`;
    expect(read(block)).toEqual({
      run: [
        { script: 'scripts/forecast.js', interpreter: 'node', timeoutMs: 30_000, env: ['WEATHER_API_KEY'] },
        { script: 'b.js', interpreter: 'python', timeoutMs: 60_000, env: [] },
      ],
      egress: ['api.weather.example', '*.example.org', 'host:8443'],
      refused: [],
      reports: [],
    });
  });

  it('shows a version as it is written', () => {
    expect(read('mcp-host:\n  version: 1.0').reports).toEqual([expect.stringContaining('(got 1.0)')]);
  });

  it.each(['2', '"1"', '1.0', '1.5', 'true', '0', '[1]', '~'])(
    'is ignored as a whole at version %s',
    (version) => {
      const found = read(`mcp-host:\n  version: ${version}\n  run: [{script: a.js, interpreter: node}]`);
      expect(found.run).toEqual([]);
      expect(found.reports).toEqual([
        expect.stringMatching(/version must be the integer 1 \(.*mcp-host is ignored/),
      ]);
    },
  );

  it('is ignored without a version, and when it is no mapping', () => {
    expect(read('mcp-host:\n  run: []').reports).toEqual([expect.stringContaining('it is missing')]);
    expect(read('mcp-host: yes').reports).toEqual([
      expect.stringContaining('must be a mapping (got string)'),
    ]);
    expect(read('mcp-host:').reports).toEqual([expect.stringContaining('must be a mapping (got nothing)')]);
  });

  it('is also read from metadata, where the top level does not speak [declare.metadata]', () => {
    const nested = 'metadata:\n  mcp-host:\n    version: 1\n    run: [{script: a.js, interpreter: node}]';
    expect(read(nested)).toMatchObject({ run: [{ script: 'a.js' }], reports: [] });
    const both = read(`${nested}\nmcp-host: {version: 1, run: [{script: b.js, interpreter: node}]}`);
    expect(both.run).toMatchObject([{ script: 'b.js' }]);
    expect(both.reports).toEqual([expect.stringContaining('the former counts')]);
  });

  it('names unknown keys', () => {
    const found = read(
      'mcp-host: {version: 1, sandbox: no, run: [{script: a.js, interpreter: node, args: [x]}]}',
    );
    expect(found.run).toHaveLength(1);
    expect(found.reports).toEqual([
      'unknown keys of mcp-host ignored: sandbox',
      'mcp-host.run[0]: unknown keys ignored: args',
    ]);
  });

  it.each([
    ['{script: ../x.js, interpreter: node}', /\. or \.\. segment/],
    ['{script: /bin/sh, interpreter: node}', /absolute/],
    ['{script: .hidden/x.js, interpreter: node}', /dot files/],
    ['{script: a.js}', /interpreter must be a name \(got nothing\)/],
    ['{script: a.js, interpreter: [node]}', /interpreter must be a name \(got list\)/],
    ['{script: a.js, interpreter: node, timeout: "30"}', /timeout must be a number/],
    ['{script: a.js, interpreter: node, timeout: 0}', /timeout must be a number/],
    ['{script: a.js, interpreter: node, timeout: .nan}', /timeout must be a number/],
    ['{script: a.js, interpreter: node, env: KEY}', /env must be a list/],
  ])('refuses the entry %s and says why', (entry, why) => {
    const found = read(withRun(entry));
    expect(found.run).toEqual([]);
    expect(found.refused).toEqual([{ script: expect.any(String), reason: expect.stringMatching(why) }]);
    expect(found.reports).toEqual([expect.stringMatching(why)]);
  });

  it.each(['just-text', '[a]', '{interpreter: node}', '{script: 5, interpreter: node}'])(
    'refuses the entry %s, which names no script',
    (entry) => {
      const found = read(`${withRun(entry)}\n    - {script: ok.js, interpreter: node}`);
      expect(found.run).toMatchObject([{ script: 'ok.js' }]);
      expect(found.reports).toHaveLength(1);
    },
  );

  it('clamps a timeout over the ceiling and says so', () => {
    const found = read(withRun('{script: a.js, interpreter: node, timeout: 301}'));
    expect(found.run).toMatchObject([{ timeoutMs: 300_000 }]);
    expect(found.reports).toEqual([expect.stringContaining('clamped to 300 s')]);
    expect(read(withRun('{script: a.js, interpreter: node, timeout: 0.5}')).run).toMatchObject([
      { timeoutMs: 500 },
    ]);
  });

  it('leaves out reserved and impossible variable names', () => {
    const names = [
      'OK',
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'SKILL_MCP_X',
      'MCP_SKILL_RUN',
      '_',
      'A-B',
      '9A',
      'OK',
      '7',
    ];
    const found = read(withRun(`{script: a.js, interpreter: node, env: [${names.join(', ')}]}`));
    expect(found.run).toMatchObject([{ env: ['OK'] }]);
    expect(found.reports).toHaveLength(8);
  });

  it('lets the first of two entries for one script count', () => {
    const found = read(
      `${withRun('{script: a.js, interpreter: node, env: [A]}')}\n    - {script: a.js, interpreter: node, env: [B]}`,
    );
    expect(found.run).toMatchObject([{ env: ['A'] }]);
    expect(found.reports).toEqual([expect.stringContaining('declared twice')]);
  });

  it('reports run, env and egress of another shape', () => {
    const found = read('mcp-host: {version: 1, run: {a: b}, env: [KEY], egress: [ok.example, "a b", 5]}');
    expect(found).toMatchObject({ run: [], egress: ['ok.example'] });
    expect(found.reports).toEqual([
      expect.stringContaining('env must be a list of'),
      expect.stringContaining('run must be a list'),
      expect.stringContaining('egress[1] is not a host name'),
      expect.stringContaining('egress[2] is not a host name'),
    ]);
  });
});
