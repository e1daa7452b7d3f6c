import { isAbsolute, sep } from 'node:path';
import type { FenceOptions } from '../../protocol.js';
import { buildSandboxRoot, isOffLimits, isSystemPath } from '../../sandbox-root.js';
import { writeInitScript } from '../../start-command.js';
import { signalGroup } from '../signal-group.js';
import type { Containment, Work } from './fence.js';
import { clear, findInit, identifyInit, killInit, readExit, readFailure, SHELL_VARIABLES } from './init.js';

/** Absolute paths of the programs that make a sandbox. */
export interface SandboxTools {
  readonly bwrap: string;
  /** Needed only where /bin/sh adds variables that `unset` cannot take away. */
  readonly env: string | undefined;
}

/** One folder or file that the sandbox shows at its own place. */
interface Shown {
  readonly option: '--bind-try' | '--ro-bind-try';
  readonly path: string;
}

/**
 * A namespace whose root holds the system, the working directory and the granted folders, and nothing else.
 * The shell in it is process 1, as at `namespace`: how a run is found, ended and counted is the same there.
 */
export function createSandbox(
  tools: SandboxTools,
  grants: Pick<FenceOptions, 'readable' | 'writable'>,
  limits = '',
): Containment {
  const start = [
    ...['/bin/sh', '-c', writeInitScript(limits), 'init'],
    ...(tools.env === undefined ? [] : [tools.env, '-u', '_']),
  ];
  return {
    level: 'sandbox',
    stderrSlot: 3,
    unavailableVariables: SHELL_VARIABLES,
    wrap: (work) => ({
      file: tools.bwrap,
      args: [...layOutRoot(work, grants), '--', ...start, work.file, ...work.args],
    }),
    findInit,
    // The wrapper would take the signal for itself, and end everything at once: only the init's own group gets it.
    askToEnd: (subject) => {
      const init = subject.init ?? identifyInit(subject.leader);
      if (init === undefined) return;
      signalGroup(init, 'SIGTERM');
      signalGroup(init, 'SIGCONT');
    },
    kill: killInit,
    clear,
    readExit,
    readFailure,
  };
}

function layOutRoot(work: Work, grants: Pick<FenceOptions, 'readable' | 'writable'>): string[] {
  const temporary = work.env.TMPDIR;
  const isOwn = temporary !== undefined && isAbsolute(temporary) && temporary !== '/';
  const hidden = ['/tmp', ...(isOwn ? [temporary] : [])];
  const shown: Shown[] = [
    ...grants.readable.map((path) => ({ option: '--ro-bind-try', path }) as const),
    ...grants.writable.map((path) => ({ option: '--bind-try', path }) as const),
    ...[work.file, work.cwd, work.root]
      .filter((path) => path !== undefined)
      .filter((path) => !isSystemPath(path) && !isOffLimits(path) && !hidden.includes(path))
      .map((path) => ({ option: '--ro-bind-try', path }) as const),
  ];
  // From the outside in, so that a folder within another one keeps its own right; sorting keeps the order of equals.
  shown.sort((one, other) => depthOf(one.path) - depthOf(other.path));
  return [
    ...buildSandboxRoot(work.network, hidden),
    ...shown.flatMap(({ option, path }) => [option, path, path]),
    ...['--remount-ro', '/', '--chdir', work.cwd],
  ];
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== '').length;
}
