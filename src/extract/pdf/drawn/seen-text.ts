import type { Glyph } from './drawn-text.ts';
import type { PdfTextRun } from './pieces.ts';

/** Minimum size of visible text, in points. Smaller text is unreadable. */
export const VISIBLE_SIZE_MIN_PT = 1;
/** Matches four letters or digits with spaces between them, which pdf.js adds to words with wide letter spacing. */
const SPACED = /(?:^|\s)(?:[\p{L}\p{N}] ){3}/u;
/** A faster test before `SPACED`, which has no letter classes. */
const MAY_BE_SPACED = /(?:^|\s)\S \S \S /;
/** Matches a short word with spaces between its letters, which counts only on a line that matches `SPACED`. */
const SHORT_SPACED = /^[\p{L}\p{N}](?: [\p{L}\p{N}])+$/u;
/** Matches a spaced word on a line of close letters. A shorter one may be a list of values or variables. */
const WORD = /^(?:\p{Lu}{5,}|\p{L}\p{Ll}{3,})$/u;
/** Matches letters without a vowel, such as variables. */
const CONSONANTS = /^[b-df-hj-np-tv-z]+$/i;
const NUMBER = /^\p{Nd}+$/u;
/** Maximum difference of a glyph from its run of text, in vertical position and size, in multiples of the text size. */
const LINE = 0.25;
/** Maximum distance of a glyph beyond the ends of its run of text, in multiples of the text size. */
const EDGE = 0.1;
/** Minimum usual gap between the letters of a widely spaced word, in multiples of the text size. */
const SPREAD_MIN = 0.08;
/** Gap that is a space, in multiples of the text size. In a widely spaced word, the usual gap is added. */
const WORD_GAP = 0.16;
/** Maximum gap within a spaced word of TeX, which draws no spaces. Wider gaps are between words of one letter. */
const SPREAD_MAX = 0.28;
/** Maximum gap between letters of a word. Wider gaps are between columns. */
const WIDE_MAX = 0.5;
const TURNED_MAX = 200;
/** Maximum comparisons of glyphs and runs on one page. A page of text needs about 200,000. */
const COMPARED_MAX = 1_000_000;

export function isLetterSpaced(text: string): boolean {
  return MAY_BE_SPACED.test(text) && SPACED.test(text);
}

type Seen = { runs: PdfTextRun[]; hidden: number };

/**
 * The glyphs of a page by rounded vertical position, so that text is compared only with glyphs nearby. Counts
 * comparisons, because a page may have all its text in one place.
 */
export class NearbyGlyphs {
  private readonly rows = new Map<number, Glyph[]>();
  private left = COMPARED_MAX;

  constructor(glyphs: readonly Glyph[]) {
    for (const glyph of glyphs) {
      const row = this.rows.get(Math.round(glyph.y));
      if (row === undefined) this.rows.set(Math.round(glyph.y), [glyph]);
      else row.push(glyph);
    }
  }

  get compared(): number {
    return COMPARED_MAX - Math.max(0, this.left);
  }

  /** True if the page needed more than `COMPARED_MAX` comparisons. */
  get hasTooMany(): boolean {
    return this.left < 0;
  }

  /** Returns the glyphs near a run; `null` after too many comparisons. */
  glyphs({ transform }: PdfTextRun): Glyph[] | null {
    const [, , c = 0, d = 1, , f = 0] = transform;
    const reach = Math.ceil(LINE * Math.hypot(c, d)) + 1;
    const count = Math.min(40, 2 * reach + 1);
    return this.compare(Array.from({ length: count }, (_, by) => this.rows.get(Math.round(f) - reach + by) ?? []));
  }

  compare(rows: readonly (readonly Glyph[])[]): Glyph[] | null {
    const count = rows.reduce((sum, row) => sum + row.length, 0);
    this.left = count > this.left ? -1 : this.left - count;
    return this.left < 0 ? null : rows.flat();
  }
}

/**
 * Returns the text as a reader sees it: without hidden glyphs, and without spaces inside widely spaced words. `hidden`
 * counts the removed characters.
 */
export function selectVisibleRuns(runs: readonly PdfTextRun[], glyphs: readonly Glyph[], near: NearbyGlyphs): Seen {
  const hasHidden = glyphs.some(({ isHidden }) => isHidden);
  const hasSpaces = glyphs.some(({ text }) => text === ' ');
  const spacedLines = new Set(runs.filter(({ str }) => isLetterSpaced(str)).map(({ transform }) => transform[5]));
  let hidden = 0;
  let turned = 0;
  const seen = runs.flatMap((run) => {
    const isWide = isLetterSpaced(run.str) || (SHORT_SPACED.test(run.str) && spacedLines.has(run.transform[5]));
    if (run.str.trim() === '' || (!hasHidden && !isWide)) return [run];
    const isTurned = run.transform[1] !== 0;
    turned += isTurned ? 1 : 0;
    if (isTurned && turned > TURNED_MAX) return [run];
    const around = isTurned ? near.compare([glyphs]) : near.glyphs(run);
    if (around === null) return [run];
    const own = findGlyphsOfRun(run, around);
    const visible = own.filter(({ isHidden }) => !isHidden);
    const letters = lettersIn(run.str);
    if (own.length > 0 && visible.length === 0) {
      hidden += letters;
      return [];
    }
    if (visible.length === own.length && !isWide) return [run];
    // A page may draw the same text twice in one place. If the other copy is visible, this run stays.
    const shown = lettersIn(visible.map(({ text }) => text).join(''));
    if (shown >= letters && !isWide) return [run];
    if (isWide && shown !== letters) return [run];
    hidden += letters - shown;
    return [replaceRunText(run, visible, { isWide, hasSpaces })];
  });
  return { runs: seen, hidden };
}

function lettersIn(text: string): number {
  return text.replace(/\s+/g, '').length;
}

export function findGlyphsOfRun({ transform, width }: PdfTextRun, glyphs: readonly Glyph[]): Glyph[] {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const size = Math.hypot(c, d);
  const length = Math.hypot(a, b);
  if (length === 0) return [];
  return glyphs
    .map((glyph) => ({
      glyph,
      along: ((glyph.x - x) * a + (glyph.y - y) * b) / length,
      across: ((glyph.x - x) * b - (glyph.y - y) * a) / length,
    }))
    .filter(
      ({ glyph, along, across }) =>
        Math.abs(across) <= LINE * size &&
        along >= -EDGE * size &&
        along + glyph.width / 2 <= width + EDGE * size &&
        Math.abs(glyph.size - size) <= LINE * size,
    )
    .sort((one, other) => one.along - other.along)
    .map(({ glyph }) => glyph);
}

/** `hasSpaces` is true if the page draws the spaces between words. */
type Spacing = { isWide: boolean; hasSpaces: boolean };

export function replaceRunText(run: PdfTextRun, glyphs: readonly Glyph[], { isWide, hasSpaces }: Spacing): PdfTextRun {
  const [, , c = 0, d = 1] = run.transform;
  const size = Math.hypot(c, d);
  const hasOwnSpaces = hasSpaces && glyphs.some(({ text }) => text.trim() === '');
  const words = hasOwnSpaces ? wordsOf(glyphs) : [glyphs.filter(({ text }) => text.trim() !== '')];
  if (isWide && !hasOwnSpaces) {
    const usual = usualGap(words[0] ?? []);
    if (usual < SPREAD_MIN * size || (!hasSpaces && usual > SPREAD_MAX * size)) return run;
  }
  const isTight = usualGap(words.flatMap((word) => word)) < SPREAD_MIN * size;
  const isSpread = (word: readonly Glyph[]) => isWide && (!hasOwnSpaces || isSpreadWord(word, size, isTight));
  return { ...run, str: words.map((word) => joined(word, isSpread(word))).join(' ') };
}

/** Divides glyphs at drawn spaces. */
function wordsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const words: Glyph[][] = [[]];
  for (const glyph of glyphs) {
    if (glyph.text.trim() === '') words.push([]);
    else words.at(-1)?.push(glyph);
  }
  return words.filter(({ length }) => length > 0);
}

/** True if the gaps between glyphs are those within a spaced word, not between values. */
function isSpreadWord(glyphs: readonly Glyph[], size: number, isTight: boolean): boolean {
  const word = glyphs.map(({ text }) => text).join('');
  if (isTight) return WORD.test(word) && !CONSONANTS.test(word) && !isAlphabet(word);
  return !(NUMBER.test(word) && glyphs.slice(1).some((glyph, at) => distance(glyphs[at], glyph) < SPREAD_MIN * size));
}

/** True for letters in alphabetical order, such as "ABCD": they are names of columns, not a spaced word. */
function isAlphabet(word: string): boolean {
  return Array.from(word).every((letter, at, all) => at === 0 || letter > (all[at - 1] ?? ''));
}

/** Joins glyphs to a text. A gap that is wider than usual becomes a space, because the page draws no spaces here. */
function joined(glyphs: readonly Glyph[], isWide: boolean): string {
  const usual = isWide ? usualGap(glyphs) : 0;
  return glyphs
    .map((glyph, index) => {
      const before = glyphs[index - 1];
      const gap = WORD_GAP + (usual <= WIDE_MAX * glyph.size ? usual / glyph.size : 0);
      return (before !== undefined && distance(before, glyph) > gap * glyph.size ? ' ' : '') + glyph.text;
    })
    .join('');
}

function usualGap(glyphs: readonly Glyph[]): number {
  const gaps = glyphs.slice(1).map((glyph, index) => distance(glyphs[index], glyph));
  return gaps.sort((one, other) => one - other)[Math.floor((gaps.length - 1) / 2)] ?? 0;
}

function distance(before: Glyph | undefined, after: Glyph): number {
  return before === undefined ? 0 : Math.hypot(after.x - before.x, after.y - before.y) - before.width;
}
