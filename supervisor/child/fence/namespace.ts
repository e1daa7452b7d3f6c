import { NAMESPACE_OPTIONS, writeInitScript } from '../../start-command.js';
import { signalGroup } from '../signal-group.js';
import type { Containment } from './fence.js';
import { clear, findInit, killInit, readExit, readFailure, SHELL_VARIABLES } from './init.js';

/** Absolute paths of the programs that make a namespace. */
export interface NamespaceTools {
  readonly setpriv: string;
  readonly unshare: string;
  /** Needed only where /bin/sh adds variables that `unset` cannot take away. */
  readonly env: string | undefined;
  /** Root keeps capabilities inside its namespace unless they are dropped. */
  readonly isRoot: boolean;
}

/**
 * A process namespace with a /proc of its own: when its first process dies, the kernel ends all others.
 * `limits` are commands of a shell that bound the program.
 */
export function createNamespace(tools: NamespaceTools, limits = ''): Containment {
  const prefix = [
    ...NAMESPACE_OPTIONS.outerSetpriv,
    tools.unshare,
    ...NAMESPACE_OPTIONS.unshare,
    ...['/bin/sh', '-c', writeInitScript(limits), 'init'],
    ...(tools.isRoot ? [tools.setpriv, ...NAMESPACE_OPTIONS.innerSetpriv] : []),
    ...(tools.env === undefined ? [] : [tools.env, '-u', '_']),
  ];
  return {
    level: 'namespace',
    stderrSlot: 3,
    unavailableVariables: SHELL_VARIABLES,
    wrap: ({ file, args }) => ({ file: tools.setpriv, args: [...prefix, file, ...args] }),
    findInit,
    // The wrapper is in the group as well, and lets the signal pass by.
    askToEnd: ({ leader }) => {
      signalGroup(leader, 'SIGTERM');
      signalGroup(leader, 'SIGCONT');
    },
    kill: killInit,
    clear,
    readExit,
    readFailure,
  };
}
