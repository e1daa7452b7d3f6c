import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import { describeErrno } from '../errors/errno.js';

// One word, as declarations write it. The file name of a path is no name: `python3.12` is.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$/;

/**
 * Reads `name=absolute path`, separated by commas or the platform's path delimiter. Every entry is checked now, so that
 * nothing is looked up when a script runs; a bad one is reported and left out.
 */
export function readInterpreters(
  value: string | undefined,
  nodePath: string,
  report: (detail: string) => void,
): ReadonlyMap<string, string> {
  const interpreters = new Map([['node', nodePath]]);
  for (const entry of splitEntries(value ?? '')) {
    const [, name = '', path = ''] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
    const fault = findFault(name.trim(), path.trim(), interpreters);
    if (fault === undefined) interpreters.set(name.trim(), path.trim());
    else report(`entry ${JSON.stringify(entry)} is left out: ${fault}`);
  }
  return interpreters;
}

/** A separator counts only before the next `name=`: paths may hold one themselves. */
function splitEntries(value: string): string[] {
  const separators = delimiter === ':' ? /[,:\n]\s*(?=[\w.+-]+=|$)/ : /[,;\n]\s*(?=[\w.+-]+=|$)/;
  return value
    .split(separators)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function findFault(name: string, path: string, known: ReadonlyMap<string, string>): string | undefined {
  if (!NAME.test(name)) return 'it must read name=/absolute/path';
  if (name === 'node') return 'node is always the executable that runs this server';
  if (known.has(name)) return `${name} is there already`;
  if (!isAbsolute(path)) return 'the path must be absolute';
  try {
    if (!statSync(path).isFile()) return 'the path is no file';
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return describeErrno(error);
  }
}
