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

const RUN = 4;

/** The share of correct runs of four words, averaged over pages. Extra runs count as much as missing ones. */
export class Runs {
  private precision = 0;
  private recall = 0;
  private pages = 0;

  add(text: string, expected: string): void {
    const got = runsOf(text);
    const wanted = runsOf(expected);
    let right = 0;
    for (const [run, times] of got) right += Math.min(times, wanted.get(run) ?? 0);
    this.precision += right / Math.max(1, sizeOf(got));
    this.recall += right / Math.max(1, sizeOf(wanted));
    this.pages += 1;
  }

  summary(): string {
    const precision = this.precision / this.pages;
    const recall = this.recall / this.pages;
    const f1 = (2 * precision * recall) / (precision + recall);
    return `precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(3)} (${this.pages} pages)`;
  }
}

function runsOf(text: string): Map<string, number> {
  const all = words(text);
  const runs = new Map<string, number>();
  for (let at = 0; at + RUN <= Math.max(RUN, all.length); at += 1) {
    const run = all.slice(at, at + RUN).join(' ');
    runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return runs;
}

function sizeOf(runs: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const times of runs.values()) size += times;
  return size;
}

/** Minimum words of a line or sentence that is specific to its page. */
const TELLING_WORDS_MIN = 5;

/** True if a text contains a sentence or line of the expected text; `null` if none is long enough. */
export function showsSentence(text: string, expected: string): boolean | null {
  const shown = ` ${words(text).join(' ')} `;
  const telling = expected
    .split(/\n|(?<=[.!?。！？])\s/)
    .map((sentence) => words(sentence))
    .filter((sentence) => sentence.length >= TELLING_WORDS_MIN);
  return telling.length === 0 ? null : telling.some((sentence) => shown.includes(` ${sentence.join(' ')} `));
}
