import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program on `path`, or of an absolute one; undefined when it is not there to be run. */
export async function findProgram(name: string, path: string | undefined): Promise<string | undefined> {
  if (isAbsolute(name)) return (await isExecutable(name)) ? name : undefined;
  if (/[\\/]/.test(name)) return undefined;
  // An empty or relative part would mean the working directory, which is somebody else's.
  for (const directory of (path ?? '').split(delimiter).filter((part) => isAbsolute(part))) {
    const file = join(directory, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
