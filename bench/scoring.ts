export type Truth = { url: string; type: string; main_content: string; with: string[]; without: string[] };

export type Score = { f1: number; withOk: number; withoutOk: number; empty: boolean };

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Word F1 over multisets, 0 to 1. */
export function wordF1(predicted: string, expected: string): number {
  const got = words(predicted);
  const wanted = words(expected);
  if (wanted.length === 0) return got.length === 0 ? 1 : 0;
  if (got.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of wanted) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of got) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    common += 1;
    counts.set(word, left - 1);
  }
  if (common === 0) return 0;
  const precision = common / got.length;
  const recall = common / wanted.length;
  return (2 * precision * recall) / (precision + recall);
}

export function scorePage(text: string, truth: Truth): Score {
  const lower = text.toLowerCase();
  return {
    f1: wordF1(text, truth.main_content),
    withOk: truth.with.filter((snippet) => lower.includes(snippet.toLowerCase())).length,
    withoutOk: truth.without.filter((snippet) => !lower.includes(snippet.toLowerCase())).length,
    empty: text.trim() === '',
  };
}
