import { spawn } from 'node:child_process';

/** A command of git that failed. */
export class GitError extends Error {}

const ENV = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'fake',
  GIT_AUTHOR_EMAIL: 'fake@example.invalid',
  GIT_COMMITTER_NAME: 'fake',
  GIT_COMMITTER_EMAIL: 'fake@example.invalid',
};

/** Runs git in a bare repository; throws a GitError unless it exits with 0. */
export function git(
  directory: string,
  args: readonly string[],
  input?: string | Buffer,
  env: Record<string, string> = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', directory, ...args], {
      env: { ...ENV, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out));
      else reject(new GitError(`git ${args.join(' ')}: ${Buffer.concat(err).toString()}`));
    });
    child.stdin.end(input ?? '');
  });
}

/** As `git`, for one line of text. */
export async function gitLine(
  directory: string,
  args: readonly string[],
  input?: string | Buffer,
  env?: Record<string, string>,
): Promise<string> {
  return (await git(directory, args, input, env)).toString().trim();
}

/** Undefined instead of a failure. */
export async function gitTry(directory: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return await gitLine(directory, args);
  } catch {
    return undefined;
  }
}
