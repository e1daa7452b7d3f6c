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
