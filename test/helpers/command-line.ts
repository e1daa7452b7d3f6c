import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/skill-mcp.js', import.meta.url));

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the built program as somebody at a terminal would, with exactly these variables. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs the built program to its end. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = startProgram(args, env);
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}
