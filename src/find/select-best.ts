/** Positions of the `k` highest scores above zero, highest first; among equals the earlier position wins. */
export function selectBest(scores: Float64Array, k: number): readonly number[] {
  const best: number[] = [];
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position] ?? 0;
    if (score <= 0) continue;
    const last = best.at(-1);
    if (best.length === k && (last === undefined || score <= (scores[last] ?? 0))) continue;
    insert(best, position, scores);
    if (best.length > k) best.pop();
  }
  return best;
}

function insert(best: number[], position: number, scores: Float64Array): void {
  const score = scores[position] ?? 0;
  let place = best.length;
  while (place > 0 && (scores[best[place - 1] ?? 0] ?? 0) < score) place--;
  best.splice(place, 0, position);
}
