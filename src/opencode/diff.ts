/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;

/** Beyond this many lines between the first and the last change they are shown as one block. */
const MAX_COMPARED = 4_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** A unified diff of two texts; empty when they are the same. */
export function diffLines(before: string, after: string, name: string): string {
  if (before === after) return '';
  const lines = compare(splitLines(before), splitLines(after));
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  const output = [`--- ${name}`, `+++ ${name}`];
  let old = 1;
  let now = 1;
  for (const [index, { sign, text }] of lines.entries()) {
    if (shown[index]) {
      if (!shown[index - 1]) output.push(`@@ -${old} +${now} @@`);
      output.push(`${sign}${text}`);
    }
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
  }
  return `${output.join('\n')}\n`;
}

function splitLines(text: string): readonly string[] {
  return text.replace(/\n$/, '').split(/\r?\n/);
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, head).map(same),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ sign: '-', text });
  const added = (text: string): Line => ({ sign: '+', text });
  if (before.length + after.length > MAX_COMPARED) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const now = after[j];
    if (old !== undefined && old === now) {
      lines.push({ sign: ' ', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(old));
      i += 1;
    } else if (now !== undefined) {
      lines.push(added(now));
      j += 1;
    }
  }
  return lines;
}
