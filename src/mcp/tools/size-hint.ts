/**
 * Asks clients that know the hint to show a result whole: without it they put one of over 50,000 characters into a
 * file. 500,000 is the most that they accept; the text of a SKILL.md at its cap fits.
 */
export const SIZE_HINT: Readonly<Record<string, unknown>> = Object.freeze({
  'anthropic/maxResultSizeChars': 500_000,
});
