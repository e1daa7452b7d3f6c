import { createHash } from 'node:crypto';

/** Rows to choose settings on, and rows to judge them by. */
export type Split = 'tune' | 'test';

/** A task together with the skill that is right for it. */
export interface LabelledRequest {
  readonly task: string;
  /** Null: no skill should be suggested. */
  readonly gold: string | null;
  readonly split: Split;
}

/** The half that a task belongs to when nobody says so: always the same one, whatever stands beside it. */
export function splitOf(task: string): Split {
  const first = createHash('sha256').update(task).digest()[0] ?? 0;
  return first % 2 === 0 ? 'tune' : 'test';
}
