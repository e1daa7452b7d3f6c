import type { ResourceLimits } from '../../protocol.js';
import type { Containment } from './fence.js';
import { SHELL_VARIABLES } from './init.js';

/** What the shell calls `ulimit -f 1`, and the size behind `ulimit -d 1`, bytes. */
const FILE_BLOCK = 512;
const KIB = 1024;

/** Commands that bound the shell which runs them, each ended by `;`, or nothing. A bound that cannot be set is fatal. */
export function writeLimitCommands(limits: ResourceLimits | undefined): string {
  if (limits === undefined) return '';
  const { data, nofile, fsize, cpu, nproc } = limits;
  const commands = [
    data === undefined ? '' : `ulimit -d ${toUnits(data, KIB)}`,
    nofile === undefined ? '' : `ulimit -n ${nofile}`,
    fsize === undefined ? '' : `ulimit -f ${toUnits(fsize, FILE_BLOCK)}`,
    cpu === undefined ? '' : `ulimit -t ${cpu}`,
    // Shells disagree about this letter.
    nproc === undefined ? '' : `{ ulimit -p ${nproc} || ulimit -u ${nproc}; } 2>/dev/null`,
  ];
  return commands
    .filter((command) => command !== '')
    .map((command) => `${command} || exit 126; `)
    .join('');
}

/** The names under which /proc/PID/limits shows these bounds, with the value that must stand there. */
export function listExpectedLimits(limits: ResourceLimits | undefined): (readonly [string, number])[] {
  const { data, nofile, fsize, cpu, nproc } = limits ?? {};
  const rows: (readonly [string, number | undefined])[] = [
    ['Max data size', data && toUnits(data, KIB) * KIB],
    ['Max open files', nofile],
    ['Max file size', fsize && toUnits(fsize, FILE_BLOCK) * FILE_BLOCK],
    ['Max cpu time', cpu],
    ['Max processes', nproc],
  ];
  return rows.filter((row): row is readonly [string, number] => row[1] !== undefined);
}

/** `portable` with a shell in front that sets the bounds and becomes the program. `env`: see the namespace level. */
export function limitPortable(portable: Containment, limits: string, env: string | undefined): Containment {
  if (limits === '') return portable;
  const script = `${limits}unset PWD OLDPWD SHLVL; exec "$@"`;
  const tidy = env === undefined ? [] : [env, '-u', '_'];
  return {
    ...portable,
    unavailableVariables: SHELL_VARIABLES,
    wrap: ({ file, args }) => ({
      file: '/bin/sh',
      args: ['-c', script, 'limits', ...tidy, file, ...args],
    }),
  };
}

function toUnits(bytes: number, unit: number): number {
  return Math.max(1, Math.floor(bytes / unit));
}
