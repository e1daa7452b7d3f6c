import { expect, it } from 'vitest';
import { pickOwnVariables } from '../../../supervisor/client/own-variables.js';

it('hands over five variables, as far as they are set, and no other', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    TZ: '',
    TMPDIR: undefined,
    TOKEN: 'x',
    NODE_OPTIONS: '--y',
  };
  expect(pickOwnVariables(env)).toEqual({ PATH: '/bin', HOME: '/h', LANG: 'C', TZ: '' });
});
