import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** There is no gh that could be started: one line with what to do. */
export class GhMissing extends Error {
  override readonly name = 'GhMissing';
}

// Desktop clients start programs with a bare PATH; these are the places where package managers put gh.
const FALLBACKS = [
  ...['~/.local/bin', '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '~/bin'],
  ...['/home/linuxbrew/.linuxbrew/bin', '~/.nix-profile/bin', '/run/current-system/sw/bin'],
  ...['/snap/bin', '/opt/local/bin'],
];

/** The absolute path of gh: GH_BIN alone when set, else the first on PATH, else the usual places. Throws GhMissing. */
export async function findGh(options: {
  readonly ghBin: string | undefined;
  readonly searchPath: string;
  readonly home: string;
}): Promise<string> {
  const { ghBin, searchPath, home } = options;
  if (ghBin !== undefined) {
    if (isAbsolute(ghBin) && (await isProgram(ghBin))) return ghBin;
    throw new GhMissing(`GH_BIN names ${ghBin}, which is no executable file with an absolute path`);
  }
  const fallbacks = FALLBACKS.map((folder) => folder.replace(/^~/, home));
  // A relative entry of PATH means another program in every directory.
  const folders = [...searchPath.split(delimiter).filter(isAbsolute), ...fallbacks];
  for (const folder of folders) {
    const file = join(folder, 'gh');
    if (await isProgram(file)) return file;
  }
  throw new GhMissing(
    'GitHub CLI (gh) was not found on PATH nor in the usual places; install it from https://cli.github.com or set GH_BIN',
  );
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
