import { randomBytes } from 'node:crypto';
import { access, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { TextDecoder } from 'node:util';
import { describeErrno, errnoOf } from '../errors/errno.js';
import { Refusal } from '../errors/refusal.js';

const BEFORE_APPLY = 'before-skills-mcp';
const BEFORE_REVERT = 'before-revert';

/** Where OpenCode's config is: as told, else by the variable, else where OpenCode itself looks first. */
export async function locateConfig(
  told: string | undefined,
  variables: ReadonlyMap<string, string>,
  home: string | undefined,
  cwd: string,
): Promise<string> {
  const given = told ?? variables.get('SKILLS_MCP_OPENCODE_CONFIG')?.trim();
  if (given !== undefined && given !== '') {
    return resolve(cwd, home === undefined ? given : given.replace(/^~(?=$|[\\/])/, () => home));
  }
  const base = variables.get('XDG_CONFIG_HOME') ?? '';
  const directory = join(isAbsolute(base) ? base : join(home ?? cwd, '.config'), 'opencode');
  const usual = join(directory, 'opencode.jsonc');
  const plain = join(directory, 'opencode.json');
  return !(await exists(usual)) && (await exists(plain)) ? plain : usual;
}

/** The config as bytes and text. Throws a Refusal when it cannot be read as UTF-8. */
export async function readConfig(path: string): Promise<{ bytes: Buffer; text: string }> {
  const bytes = await attempt(path, () => readFile(path));
  try {
    return { bytes, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new Refusal(`${path} is not UTF-8`, { hint: 'nothing was changed' });
  }
}

/** Writes a new text where `before` still stands, after a backup of it; returns the backup's path. */
export async function applyConfig(
  path: string,
  before: Buffer,
  text: string,
  now: () => number,
): Promise<string> {
  const backup = await keep(path, before, BEFORE_APPLY, now);
  const current = await attempt(path, () => readFile(path));
  if (!current.equals(before)) {
    throw new Refusal(`${path} was changed by somebody else meanwhile`, {
      hint: 'try again, nothing was changed',
    });
  }
  await replace(path, Buffer.from(text));
  return backup;
}

/** Puts the newest backup back, byte for byte; what it replaces is kept beside it. */
export async function revertConfig(
  path: string,
  now: () => number,
): Promise<{ readonly restored: string; readonly kept: string | undefined }> {
  const prefix = `${basename(path)}.bak-`;
  const names = await attempt(dirname(path), () => readdir(dirname(path)));
  const newest = names
    .filter((name) => name.startsWith(prefix) && name.endsWith(`-${BEFORE_APPLY}`))
    .sort()
    .at(-1);
  if (newest === undefined) throw new Refusal(`there is no backup of ${path} to go back to`);
  const restored = join(dirname(path), newest);
  const bytes = await attempt(restored, () => readFile(restored));
  const current = (await exists(path)) ? await attempt(path, () => readFile(path)) : undefined;
  if (current?.equals(bytes)) return { restored, kept: undefined };
  const kept = current === undefined ? undefined : await keep(path, current, BEFORE_REVERT, now);
  await replace(path, bytes);
  return { restored, kept };
}

/** Writes a copy under a name that nothing bears yet. */
async function keep(path: string, bytes: Buffer, why: string, now: () => number): Promise<string> {
  const mode = await attempt(path, async () => (await stat(path)).mode & 0o777);
  for (let time = now(); ; time += 1) {
    const stamp = new Date(time).toISOString().replace(/[:.]/g, '-');
    const copy = `${path}.bak-${stamp}-${why}`;
    try {
      await writeNew(copy, bytes, mode);
      return copy;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST')
        throw new Refusal(`${copy} cannot be written: ${describeErrno(error)}`);
    }
  }
}

/** Renames into place, so that OpenCode finds the old config or the new one. A link stays a link, the mode stays. */
async function replace(path: string, bytes: Buffer): Promise<void> {
  await attempt(path, async () => {
    const target = await realpath(path).catch(() => path);
    const found = await stat(target).catch(() => undefined);
    const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await writeNew(temporary, bytes, (found?.mode ?? 0o600) & 0o777);
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  });
}

async function writeNew(path: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Refusal(`${path}: ${describeErrno(error)}`);
  }
}
