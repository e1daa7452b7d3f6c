import { fileURLToPath } from 'node:url';

const folder = new URL('../fixtures/scripts/', import.meta.url);

/** The variables that fixture programs need, and nothing else. */
export const SCRIPT_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Absolute path of a fixture program. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(name, folder));
}

/** A run of a fixture program, by the interpreter that its ending names. */
export function runOf(name: string, ...args: string[]) {
  const file = name.endsWith('.mjs') ? process.execPath : name.endsWith('.pl') ? '/usr/bin/perl' : '/bin/sh';
  return { file, args: [scriptPath(name), ...args], env: SCRIPT_ENV };
}
