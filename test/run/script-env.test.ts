import { describe, expect, it } from 'vitest';
import { joinValues, planVariables } from '../../src/run/script-env.js';

const variables = new Map([
  ['PATH', '/usr/bin:/bin'],
  ['HOME', '/home/me'],
  ['API_KEY', 'secret-1'],
  ['OTHER_KEY', 'secret-2'],
  ['MCP_SKILLS_PATH', '/skills'],
  ['SKILL_MCP_CONFIRM_SECRET', 'secret-3'],
]);

describe('the variables of a script [run.environment]', () => {
  it('are the fixed ones that are set, the granted ones that are set, and the mark of the run', () => {
    const planned = planVariables(['API_KEY', 'REGION'], variables);
    expect(planned).toEqual({
      names: ['API_KEY', 'HOME', 'LANG', 'PATH', 'SKILL_MCP_RUN_ID'],
      notSet: ['REGION'],
      handedOver: ['API_KEY'],
    });
    expect(joinValues(planned.names, variables)).toEqual({
      API_KEY: 'secret-1',
      HOME: '/home/me',
      LANG: 'C.UTF-8',
      PATH: '/usr/bin:/bin',
    });
  });

  it('keep what is set of locale, time zone and folders', () => {
    const set = new Map([
      ['LANG', 'de_CH.UTF-8'],
      ['TZ', 'Europe/Zurich'],
      ['TMPDIR', '/tmp'],
      ['MCP_DATA_DIR', '/data'],
    ]);
    const { names } = planVariables([], set);
    expect(names).toEqual(['LANG', 'MCP_DATA_DIR', 'SKILL_MCP_RUN_ID', 'TMPDIR', 'TZ']);
    expect(joinValues(names, set).LANG).toBe('de_CH.UTF-8');
  });

  it('never hold a reserved name, whoever grants it', () => {
    const { names, notSet } = planVariables(
      ['MCP_SKILLS_PATH', 'SKILL_MCP_CONFIRM_SECRET', 'LD_PRELOAD'],
      variables,
    );
    expect(names).toEqual(['HOME', 'LANG', 'PATH', 'SKILL_MCP_RUN_ID']);
    expect(notSet).toEqual([]);
  });

  it('are refused when a value is too long for any program, without showing it', () => {
    const long = new Map([['BIG', 'x'.repeat(131_068)]]);
    expect(() => planVariables(['BIG'], long)).toThrow(/BIG is 131072 bytes, at most 131071/);
    expect(planVariables(['BIG'], new Map([['BIG', 'x'.repeat(131_067)]])).handedOver).toEqual(['BIG']);
  });
});
