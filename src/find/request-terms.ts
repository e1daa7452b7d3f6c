import { toTerm, visitWords } from './tokenize.js';

/** Longest part of a task that is read, UTF-16 units: a task is a sentence, not a file. */
export const MAX_TASK_UNITS = 128 * 1024;

/** The distinct terms of a request in order of appearance, each with the word it was first written as. */
export function readRequest(task: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  visitWords(task.slice(0, MAX_TASK_UNITS), (word, written) => {
    const term = toTerm(word);
    if (term !== undefined && !words.has(term)) words.set(term, written);
  });
  return words;
}
