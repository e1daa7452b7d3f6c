import { describe, expect, it } from 'vitest';
import { EMPTY_CONFIG, readFindConfig } from '../../src/config/find-config.js';
import { makeSourceId } from '../../src/config/source-spec.js';

describe('the text of a config', () => {
  it('is read whole, with defaults for what it leaves out', () => {
    const { config, problems, fault } = readFindConfig(
      JSON.stringify({
        sources: [
          { kind: 'github', id: 'a', repo: 'owner/name' },
          { kind: 'local', id: 'b', path: '~/skills' },
          { kind: 'cli', id: 'c', list: ['x'], get: ['x', 'y'], namesPath: 'data.skills' },
        ],
        decision: { model: 'm', strategy: 'shards', thresholds: { m: { action: 0.25 } } },
        lexical: { threshold: 0.4, maxSkills: 10 },
        shardSize: 50,
        timeoutMs: 1000,
      }),
    );
    expect([fault, problems]).toEqual([undefined, []]);
    expect(config.sources.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(config.sources[0]).toMatchObject({ paths: ['skills'] });
    expect(config.decision).toEqual({
      model: 'm',
      strategy: 'shards',
      thresholds: new Map([['m', { action: 0.25 }]]),
    });
    expect(config).toMatchObject({
      lexical: { threshold: 0.4, maxSkills: 10 },
      shardSize: 50,
      timeoutMs: 1000,
    });
    expect(readFindConfig('{}').config).toEqual(EMPTY_CONFIG);
  });

  it('names every unknown key and bad entry with line:column, and keeps the rest [sources.config]', () => {
    const { config, problems, fault } = readFindConfig(`{
  "sources": [
    {"kind": "github", "id": "Bad", "repo": "owner/name"},
    {"kind": "github", "id": "good", "repo": "owner/name", "branch": "main"},
    {"kind": "github", "id": "good", "repo": "owner/other"},
    {"kind": "ftp", "id": "x"},
    7
  ],
  "decision": {"strategy": "guess", "thresholds": {"m": {"fits": 2, "named": 0.5, "x": 1}}},
  "é": 1, "surprise": 1,
  "shardSize": 255
}`);
    expect(fault).toBeUndefined();
    expect(config.sources.map(({ id }) => id)).toEqual(['good']);
    expect(config.decision.thresholds.get('m')).toEqual({ named: 0.5 });
    expect(config.shardSize).toBe(EMPTY_CONFIG.shardSize);
    expect(problems).toEqual([
      '3:30 sources[0].id: must be lowercase letters, digits and single hyphens',
      '4:60 sources[1].branch: unknown key, ignored',
      '5:5 sources[2]: the id good is taken already',
      '6:14 sources[3].kind: must be github, local or cli',
      '7:5 sources[4]: must be an object',
      '9:28 decision.strategy: must be shortlist or shards',
      '9:66 decision.thresholds.m.fits: must be from 0 to 1',
      '9:83 decision.thresholds.m.x: unknown key, ignored',
      '10:3 é: unknown key, ignored',
      '10:11 surprise: unknown key, ignored',
      '11:16 shardSize: must be at most 254',
    ]);
  });

  it.each(['', '{', '{"a": 1,}', '// x\n{}', 'nonsense', '[]', '"text"', 'null'])(
    'is broken as %j',
    (text) => {
      expect(readFindConfig(text)).toMatchObject({ config: EMPTY_CONFIG, fault: expect.any(String) });
    },
  );

  it('may begin with a byte order mark', () => {
    expect(readFindConfig('\uFEFF{"timeoutMs": 5}')).toMatchObject({
      config: { timeoutMs: 5 },
      problems: [],
    });
  });
});

it('makes ids out of names of repositories', () => {
  expect(makeSourceId('Owner/My.Skills__x')).toBe('owner-my-skills-x');
  expect(makeSourceId(`o/${'x'.repeat(100)}`)).toHaveLength(64);
});
