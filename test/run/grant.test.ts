import { describe, expect, it } from 'vitest';
import { Grant } from '../../src/run/grant.js';
import { makeScript, makeSkill } from '../helpers/skills.js';

const SHA = 'a'.repeat(64);
const grantOf = (rows: unknown, hosted = false) =>
  new Grant({ grantText: typeof rows === 'string' ? rows : JSON.stringify(rows), hosted });
const script = makeScript({ env: ['API_KEY', 'REGION'] });
const skill = makeSkill({ declaration: { run: [script], egress: [] } });
const find = (name: string) => (name === skill.name ? skill : undefined);

describe('without a grant', () => {
  it('the declaration stands when nobody hosts the server', () => {
    const grant = new Grant({ grantText: undefined, hosted: false });
    expect(grant.from).toBe('declaration');
    expect(grant.allows('weather', script.script)).toBe(true);
    expect(grant.allowsBytes('weather', script.script, SHA)).toBe(true);
    expect(grant.variablesFor('weather', script)).toEqual(['API_KEY', 'REGION']);
    expect(grant.note).toBeUndefined();
  });

  it('nothing runs under a host, and a note says why [grant.hosted]', () => {
    const grant = new Grant({ grantText: undefined, hosted: true });
    expect(grant.from).toBe('hosted-default');
    expect(grant.allows('weather', script.script)).toBe(false);
    expect(grant.variablesFor('weather', script)).toEqual([]);
    expect(grant.note).toMatch(/MCP_SKILL_RUN/);
  });
});

describe('a grant [grant.narrows]', () => {
  it('allows its rows only, and the variables that both sides name', () => {
    const grant = grantOf([{ skill: 'weather', script: script.script, env: ['API_KEY', 'OTHER'] }]);
    expect(grant.from).toBe('MCP_SKILL_RUN');
    expect(grant.allows('weather', script.script)).toBe(true);
    expect(grant.allows('weather', 'scripts/other.js')).toBe(false);
    expect(grant.allows('Weather', script.script)).toBe(false);
    expect(grant.variablesFor('weather', script)).toEqual(['API_KEY']);
  });

  it('hands no variable over unless it names it', () => {
    expect(grantOf([{ skill: 'weather', script: script.script }]).variablesFor('weather', script)).toEqual(
      [],
    );
  });

  it('grants nothing when it is an empty list', () => {
    const grant = grantOf([]);
    expect(grant.allows('weather', script.script)).toBe(false);
    expect(grant.error).toBeUndefined();
  });

  it('means the same skill in either normal form of its name', () => {
    const grant = grantOf([{ skill: 'cafe\u0301', script: 'a.js' }]);
    expect(grant.allows('caf\u00e9', 'a.js')).toBe(true);
  });

  it('pins bytes by sha256, and gives each row its own variables [grant.pin]', () => {
    const grant = grantOf([
      { skill: 'weather', script: script.script, env: ['API_KEY'], sha256: `sha256:${SHA.toUpperCase()}` },
      { skill: 'weather', script: script.script, env: ['REGION'], sha256: 'b'.repeat(64) },
    ]);
    expect(grant.allowsBytes('weather', script.script, SHA)).toBe(true);
    expect(grant.allowsBytes('weather', script.script, 'c'.repeat(64))).toBe(false);
    expect(grant.variablesFor('weather', script, SHA)).toEqual(['API_KEY']);
  });

  it('reports rows and variables that match nothing', () => {
    const grant = grantOf([
      { skill: 'nobody', script: 'a.js' },
      { skill: 'weather', script: 'weather/scripts/forecast.js' },
      { skill: 'weather', script: script.script, env: ['API_KEY', 'OTHER\n'] },
    ]);
    const problems = grant.problems(find);
    expect(problems.map(({ reason, path }) => `${reason} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => 'grant MCP_SKILL_RUN'),
    );
    expect(problems.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^row 1: there is no skill "nobody"$/),
      expect.stringMatching(/^row 2: .*does not declare/),
      expect.stringMatching(/^row 3: .*does not ask for "OTHER/),
    ]);
  });
});

describe('a grant that cannot be read [grant.unreadable]', () => {
  it.each([
    ['{"skill":', /not valid JSON/],
    ['{}', /list/],
    ['null', /list/],
    ['[{"skill":"a"}]', /row 1\.script/],
    ['[{"skill":"a","script":"b","env":"KEY"}]', /row 1\.env/],
    ['[{"skill":"a","script":"b"},{"skill":"a","script":"b","args":[]}]', /row 2.*args/],
    ['[{"skill":"a","script":"b","sha256":"abc"}]', /row 1\.sha256.*64/],
  ])('grants nothing and says where: %s', (text, expected) => {
    const grant = grantOf(text);
    expect(grant.from).toBe('MCP_SKILL_RUN');
    expect(grant.allows('a', 'b')).toBe(false);
    expect(grant.error).toMatch(expected);
    expect(grant.error).toMatch(/nothing is granted/);
    expect(grant.error).not.toMatch(/\n/);
  });
});
