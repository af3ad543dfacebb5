import type { PageLines } from './segments.ts';

export type TextStyle = {
  /** Size of most of the text, in points, rounded to halves. */
  body: number;
  /** Maps the text sizes of headings to heading levels. The largest is level 1. All after the third are level 4. */
  levels: ReadonlyMap<number, number>;
  hyphenated: ReadonlySet<string>;
  words: ReadonlySet<string>;
  /** True if monospaced text is code: its share of the document is below `CODE_SHARE_MAX`. */
  marksCode: boolean;
};

const HEADING_TIMES_MIN = 1.12;
export const PDF_HEADING_CHARS_MAX = 250;
const LEVELS_MAX = 4;
/** Maximum share of monospaced text. In a document with more, such as a typewritten one, prose is also monospaced. */
const CODE_SHARE_MAX = 0.75;
const HYPHENATED_MAX = 20_000;
const WORDS_MAX = 50_000;
/** Matches the words of a line, except the first and last, which may be halves of divided words. */
const INNER_WORDS = /(?<=[\s(])\p{L}{2,40}(?=[\s,.;:)])/gu;

export function measureTextStyle(pages: readonly PageLines[]): TextStyle {
  const chars = new Map<number, number>();
  let mono = 0;
  let all = 0;
  const hyphenated = new Set<string>();
  const words = new Set<string>();
  const lines = pages.flatMap((page) => page.regions.flat());
  for (const line of lines) {
    const size = roundSize(line.size);
    all += line.plain.length;
    if (line.mono) mono += line.plain.length;
    chars.set(size, (chars.get(size) ?? 0) + line.plain.length);
    if (words.size < WORDS_MAX) {
      for (const [word] of line.plain.matchAll(INNER_WORDS)) words.add(word.toLowerCase());
    }
    if (hyphenated.size > HYPHENATED_MAX || !line.plain.includes('-')) continue;
    for (const [word] of line.plain.matchAll(/(?<!\p{L})\p{L}+-\p{L}+/gu)) hyphenated.add(word.toLowerCase());
  }
  const body = [...chars].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
  const larger = new Set<number>();
  for (const line of lines) {
    const size = roundSize(line.size);
    if (size >= body * HEADING_TIMES_MIN && /\p{L}{2}/u.test(line.plain)) larger.add(size);
  }
  const sizes = [...larger].sort((one, other) => other - one);
  const levels = new Map(sizes.map((size, index) => [size, Math.min(LEVELS_MAX, index + 1)]));
  return { body, levels, hyphenated, words, marksCode: mono < CODE_SHARE_MAX * all };
}

export function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}
