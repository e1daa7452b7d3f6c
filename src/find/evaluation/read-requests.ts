import { z } from 'zod';
import { Refusal } from '../../errors/refusal.js';
import { type LabelledRequest, splitOf } from './request.js';

const Row = z.looseObject({
  task: z.string().refine((task) => task.trim() !== '', 'must not be blank'),
  gold: z.string().min(1).nullable(),
  split: z.enum(['tune', 'test']).optional(),
});

/**
 * Reads labelled requests, one JSON object a line; blank lines are skipped. Throws a Refusal that names file and line
 * of the first row that is none.
 */
export function readRequests(text: string, file: string): readonly LabelledRequest[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const requests = lines.flatMap((line, position) =>
    line.trim() === '' ? [] : [readRow(line, `${file}:${position + 1}`)],
  );
  if (requests.length === 0) throw new Refusal(`${file} holds no requests`);
  return requests;
}

function readRow(line: string, place: string): LabelledRequest {
  const parsed = Row.safeParse(parseLine(line, place));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.map(String).join('.');
    throw new Refusal(`${place}: ${field ? `${field} ` : ''}${issue?.message ?? 'is not a request'}`, {
      hint: 'a row is {"task": "…", "gold": "a-skill" or null, "split": "tune" or "test"}',
    });
  }
  const { task, gold, split } = parsed.data;
  return { task, gold, split: split ?? splitOf(task) };
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Refusal(`${place}: the line is not JSON`);
  }
}
