import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { writeAtomically } from './write-atomically.js';

/** A remembered value, or undefined: what cannot be read, or has another shape, counts as forgotten. */
export async function recall<S extends z.ZodType>(schema: S, file: string): Promise<z.infer<S> | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Remembers a value for later processes. A disk that cannot be written costs speed, not the answer. */
export async function remember(file: string, value: object, note: (line: string) => void): Promise<void> {
  try {
    await writeAtomically(file, `${JSON.stringify(value)}\n`);
  } catch (error) {
    note(
      `the cache cannot be written: ${error instanceof Error && 'code' in error ? error.code : 'unknown'}`,
    );
  }
}
