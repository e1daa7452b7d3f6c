import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('the example of the library runs through the package’s own export and ends by itself [library.import]', () => {
  const example = fileURLToPath(new URL('../../../examples/supervise.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [example], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^fence: (portable|namespace|sandbox)$/),
    'exit code 0: Hello, world',
    'timed out: true, after it said: still here',
    expect.stringMatching(/^refused \(invalid\): the program must be an absolute path$/),
    '',
  ]);
  expect(stderr).toContain('log: supervisor ready');
  expect(status).toBe(0);
});
