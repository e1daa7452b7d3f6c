import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startCommand } from '../../supervisor/start-command.js';

const files = { node: '/opt/node', entry: '/opt/child.js' };

it('starts the child without a shell where nothing is to be probed', () => {
  const asked = startCommand({ ...files, fence: 'portable', platform: 'linux' });
  expect(asked).toEqual({ file: files.node, args: [files.entry, 'portable', 'it was asked for'] });
  const mac = startCommand({ ...files, fence: 'auto', platform: 'darwin' });
  expect(mac.file).toBe(files.node);
  expect(mac.args.slice(0, 2)).toEqual([files.entry, 'portable']);
});

it('hands paths to the shell as arguments, never as part of its script', () => {
  const odd = { node: "/opt/it's $(here)/node", entry: '/opt/a b.js' };
  const { file, args } = startCommand({ ...odd, fence: 'auto', platform: 'linux' });
  expect(file).toBe('/bin/sh');
  expect(args.slice(-2)).toEqual([odd.node, odd.entry]);
  expect(args.slice(0, -2).join(' ')).not.toContain('/opt/');
});

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/busybox'].filter(existsSync);

it.runIf(process.platform === 'linux').each(SHELLS)('adds no variable of the shell %s', (shell) => {
  // In the place of node, a program that prints its own environment.
  const { args } = startCommand({ node: '/bin/cat', entry: '/proc/self/environ', fence: 'auto' });
  const prefix = shell.endsWith('busybox') ? ['sh'] : [];
  const { stdout } = spawnSync(shell, [...prefix, ...args], {
    encoding: 'latin1',
    env: { TZ: 'UTC' },
    // As the child is started; bash would take a socket for a remote shell and read its files.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(stdout).toBe('TZ=UTC\0');
});
