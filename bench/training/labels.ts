/** The kept share of each segment: that of its words in the labelled main content, 0 to 1. */

const SHINGLE = 3;

export function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

export function labelsOf(segments: readonly { text: string }[], truth: string): number[] {
  const truthWords = words(truth);
  const shingles = new Map<string, number>();
  for (let at = 0; at + SHINGLE <= truthWords.length; at += 1)
    bump(shingles, truthWords.slice(at, at + SHINGLE).join(' '));
  const phrases = new Map<string, number>();
  for (const line of truth.split(/\n|\s\|\s|(?<=[.:])\s/)) {
    const key = words(line).join(' ');
    if (key !== '') bump(phrases, key);
  }
  const truthText = ` ${truthWords.join(' ')} `;
  const onPage = new Map<string, number>();
  const keys = segments.map((segment) => words(segment.text));
  for (const key of keys) bump(onPage, key.join(' '));
  return keys.map((key) => {
    if (key.length === 0) return 0;
    const joined = key.join(' ');
    const copies = onPage.get(joined) ?? 1;
    if (key.length >= SHINGLE + 1) {
      let hits = 0;
      const all = key.length - SHINGLE + 1;
      for (let at = 0; at < all; at += 1) if (shingles.has(key.slice(at, at + SHINGLE).join(' '))) hits += 1;
      const share = hits / all;
      if (copies === 1 || share < 0.5) return share;
      const inTruth = truthText.split(` ${joined} `).length - 1;
      return Math.min(1, Math.max(1, inTruth) / copies) * share;
    }
    const asLine = phrases.get(joined) ?? 0;
    if (asLine > 0) return Math.min(1, asLine / copies);
    const inside = truthText.includes(` ${joined} `);
    return inside ? Math.min(0.4, 1 / copies) : 0;
  });
}

function bump(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
