import type { Scored } from './passage.ts';

/** Candidates of one phrasing that are joined with those of the others. Those after them add next to nothing. */
const FUSED_MAX = 400;

/**
 * Joins the candidates of several phrasings. A unit scores the sum of its scores, each as a share of the best score of its phrasing: so no
 * phrasing outweighs another because it has more words. The phrasing that fits a unit best says which lines of the unit are shown.
 */
export function fused(each: readonly (readonly Scored[])[]): Scored[] {
  const units = new Map<string, { sum: number; best: number; one: Scored }>();
  for (const scored of each) {
    const most = scored[0]?.score ?? 0;
    if (most <= 0) continue;
    for (const one of scored.slice(0, FUSED_MAX)) {
      const share = one.score / most;
      const key = `${one.source} ${one.candidate.unit.start}`;
      const known = units.get(key);
      if (known === undefined) units.set(key, { sum: share, best: share, one });
      else {
        known.sum += share;
        if (share > known.best) Object.assign(known, { best: share, one });
      }
    }
  }
  return [...units.values()]
    .map(({ sum, one }) => ({ ...one, score: sum }))
    .sort((a, b) => b.score - a.score || a.source - b.source || a.candidate.unit.start - b.candidate.unit.start);
}
