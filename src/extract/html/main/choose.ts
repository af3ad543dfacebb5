export type Choice = {
  keep: boolean[];
  /** The chance above which keeping a segment is worth its words. */
  bar: number;
};

/**
 * Chooses which segments to keep so that the expected word F1 is highest, given the chance that each one is content.
 */
export function choose(chances: readonly number[], sizes: readonly number[]): Choice {
  const order = chances.map((_, index) => index).sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0) || a - b);
  let expected = 0;
  for (const [index, chance] of chances.entries()) expected += chance * (sizes[index] ?? 0);
  let kept = 0;
  let right = 0;
  let best = 0;
  let bestCount = 0;
  for (const [count, index] of order.entries()) {
    kept += sizes[index] ?? 0;
    right += (chances[index] ?? 0) * (sizes[index] ?? 0);
    const score = (2 * right) / (kept + expected);
    if (score > best) {
      best = score;
      bestCount = count + 1;
    }
  }
  const keep = chances.map(() => false);
  for (const index of order.slice(0, bestCount)) keep[index] = true;
  return { keep, bar: best / 2 };
}
