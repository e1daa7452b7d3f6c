import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/errors/redact.js';

it.each([
  ['fatal: https://user:pass@host/x.git not found', 'fatal: https://host/x.git not found'],
  ['https://ghp_abcdefgh12345678@github.com/a/b', 'https://github.com/a/b'],
  ['http://user:p/a/ss@host/x', 'http://host/x'],
  ['token github_pat_11ABCDEFG0abcdefg is bad', 'token (removed) is bad'],
  [
    'gho_abcdefgh1234 ghs_abcdefgh1234 glpat-abcdefgh1234 sk-abcdefgh1234',
    '(removed) (removed) (removed) (removed)',
  ],
  ['Authorization: Bearer abc.def', 'Authorization: (removed)'],
  ['authorization=basic dXNlcjpwYXNz', 'authorization=(removed)'],
  ['got Bearer abcdefgh.ijkl', 'got Bearer (removed)'],
  ['https://host/x?access_token=abc&y=1', 'https://host/x?access_token=(removed)&y=1'],
  ['https://host/path/@scope and a@b.example', 'https://host/path/@scope and a@b.example'],
  ['nothing secret here', 'nothing secret here'],
])('makes %j safe to show', (text, safe) => {
  expect(redactSecrets(text)).toBe(safe);
});
