import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Absolute path of a program on this search path, or undefined. Asked once at start, never for a run. */
export function findTool(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(':')) {
    if (!folder.startsWith('/')) continue;
    const file = join(folder, name);
    if (isExecutableFile(file)) return file;
  }
  return undefined;
}

/** Whether this is a regular file that we may execute. */
export function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The program behind a name such as /bin/sh: `dash`, `bash`, `busybox`; empty when there is none. */
export function readProgramName(file: string): string {
  try {
    return basename(realpathSync(file));
  } catch {
    return '';
  }
}
