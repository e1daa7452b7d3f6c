import type { Skill } from '../skill/skill.js';

/** Most names that a failed look-up suggests. */
const MAX_SUGGESTIONS = 20;
// A longer wish is no misspelling of a name, and the comparison costs its length each time.
const MAX_WISH_LENGTH = 128;

/** Names that a caller may have meant, best first: the frontmatter's name, letter case, parts, typing errors. */
export function findNearNames(skills: readonly Skill[], wish: string): string[] {
  const wanted = fold(wish.slice(0, MAX_WISH_LENGTH));
  if (wanted === '') return [];
  const ranked = skills.flatMap((skill) => {
    const rank = rankOf(skill, wanted);
    return rank === undefined ? [] : [{ name: skill.name, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}

function rankOf({ name, frontmatterName }: Skill, wanted: string): number | undefined {
  const own = fold(name);
  if (own === wanted || (frontmatterName !== undefined && fold(frontmatterName) === wanted)) return 0;
  const bare = wanted.replace(/[^\p{L}\p{N}]/gu, '');
  if (bare !== '' && own.replace(/[^\p{L}\p{N}]/gu, '') === bare) return 1;
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  if (Math.abs(own.length - wanted.length) <= allowed) {
    const distance = measureDistance(own, wanted);
    if (distance <= allowed) return 1 + distance;
  }
  const isPart = wanted.length >= 3 && (own.includes(wanted) || (own.length >= 3 && wanted.includes(own)));
  return isPart ? MAX_WISH_LENGTH : undefined;
}

function fold(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** Insertions, deletions, replacements and swaps of neighbours from one text to the other. */
function measureDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
