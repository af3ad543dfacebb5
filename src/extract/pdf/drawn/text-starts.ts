import type { PdfPiece } from './pieces.ts';
import { estimateWordPositions } from '#extract/pdf/tables/word-places.ts';

/**
 * The start of a text that a page draws apart from others, in units of the page. `glyphs` is the number of its glyphs,
 * or 0 if it is not known.
 */
export type TextStart = { x: number; y: number; glyphs: number };

/**
 * Matches a text of LibreOffice with its position. LibreOffice draws each cell, and each part of a line with its own
 * look, in an object of its own.
 */
const LIBRE_OFFICE_TEXT = /\sBT\s+(-?\d{1,5}(?:\.\d{1,6})?) (-?\d{1,5}(?:\.\d{1,6})?) Td \/F\d{1,4} \d/g;
const IS_LIBRE_OFFICE = /^0\.1 w\s+q /;
/** Matches the steps of a page by Chromium that place a text. Chromium draws apart what LibreOffice draws apart. */
const CHROMIUM_STEP =
  /\n(?:([qQ])|([-.\d]{1,12} [-.\d]{1,12} [-.\d]{1,12} [-.\d]{1,12} [-.\d]{1,12} [-.\d]{1,12}) cm|BT\n\/F\d{1,4} [.\d]{1,12} Tf\n1 0 [-.\d]{1,12} -1 ([-.\d]{1,12}) ([-.\d]{1,12}) Tm)(?=\n)/g;
const IS_CHROMIUM = /^(\.2[34]\d{0,8}) 0 0 -\.2[34]\d{0,8} 0 (\d{1,5}(?:\.\d{1,6})?) cm\n/;
const HEX_STRING = /<([\da-f]{2,4000})>/gi;
/** Hexadecimal digits of a glyph in a text of each program. */
const LIBRE_OFFICE_DIGITS = 2;
const CHROMIUM_DIGITS = 4;
/** Characters of the content in which the glyphs of a text are counted. */
const SHOWN_MAX = 8_000;
/** Maximum texts of a page that are read. */
const STARTS_MAX = 20_000;
const SAVED_MAX = 1_000;
/** Maximum distance of baselines that are the same, in points. */
const BASELINE_MAX = 0.5;
/** Maximum distance of the estimated start of a word from the start of a text, in multiples of the text size. */
const NEAR_MAX = 1.2;
/** Width of a space that pdf.js found between two texts, in multiples of the text size. */
const SPACE_MIN = 0.2;

/** Returns the starts of all texts in the content of a page by LibreOffice or Chromium; none for others. Linear time. */
export function findTextStarts(content: string): TextStart[] {
  if (IS_LIBRE_OFFICE.test(content)) return findLibreOfficeStarts(content);
  const [, scale, height] = IS_CHROMIUM.exec(content) ?? [];
  return scale === undefined ? [] : findChromiumStarts(content, Number(scale), Number(height));
}

function findLibreOfficeStarts(content: string): TextStart[] {
  const starts: TextStart[] = [];
  for (const { 0: all, 1: x, 2: y, index } of content.matchAll(LIBRE_OFFICE_TEXT)) {
    starts.push({ x: Number(x), y: Number(y), glyphs: countGlyphs(content, index + all.length, LIBRE_OFFICE_DIGITS) });
    if (starts.length >= STARTS_MAX) break;
  }
  return starts;
}

/** Follows the scales and shifts of a page. Rotated text is not read. */
function findChromiumStarts(content: string, scale: number, height: number): TextStart[] {
  const starts: TextStart[] = [];
  const saved: { scale: number; x: number; y: number }[] = [];
  let now = { scale, x: 0, y: height };
  for (const { 0: all, 1: state, 2: matrix, 3: x, 4: y, index } of content.matchAll(CHROMIUM_STEP)) {
    if (state === 'q' && saved.length < SAVED_MAX) saved.push(now);
    else if (state === 'Q') now = saved.pop() ?? now;
    else if (matrix !== undefined) {
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix.split(' ').map(Number);
      const own = b === 0 && c === 0 && a === d ? a : NaN;
      now = { scale: now.scale * own, x: now.x + now.scale * e, y: now.y - now.scale * f };
    } else if (x !== undefined && !Number.isNaN(now.scale)) {
      const glyphs = countGlyphs(content, index + all.length, CHROMIUM_DIGITS);
      starts.push({ x: now.x + now.scale * Number(x), y: now.y - now.scale * Number(y), glyphs });
      if (starts.length >= STARTS_MAX) break;
    }
  }
  return starts;
}

/** Counts the glyphs of the text shown from `from` on, whose codes are hexadecimal; 0 if it is too long. */
function countGlyphs(content: string, from: number, digits: number): number {
  const shown = content.slice(from, from + SHOWN_MAX);
  const end = shown.indexOf('ET');
  if (end < 0) return 0;
  let count = 0;
  for (const [, codes = ''] of shown.slice(0, end).matchAll(HEX_STRING)) count += codes.length;
  return count / digits;
}

/** Divides pieces that pdf.js joined across a narrow gap, at the places where the page begins another text. */
export function divideAtTextStarts(
  pieces: readonly PdfPiece[],
  starts: readonly TextStart[],
  viewport: readonly number[],
): PdfPiece[] {
  if (starts.length === 0) return [...pieces];
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = viewport;
  const placed = starts.map(({ x, y, glyphs }) => ({ x: va * x + vc * y + ve, y: vb * x + vd * y + vf, glyphs }));
  const sorted = placed.sort((one, other) => one.x - other.x);
  const lines = Map.groupBy(sorted, ({ y }) => Math.round(y / BASELINE_MAX));
  return pieces.flatMap((piece) => {
    const key = Math.round(piece.y / BASELINE_MAX);
    const near = [key - 1, key, key + 1].flatMap((one) => startsWithin(lines.get(one) ?? [], piece));
    const first = near.find(({ x }) => x <= piece.x + BASELINE_MAX);
    const inside = near.filter(({ x }) => x > piece.x + piece.size / 4).sort((one, other) => one.x - other.x);
    const own = first === undefined ? piece : { ...piece, isApart: true };
    return inside.length === 0 || piece.rtl ? [own] : divide(own, first?.glyphs ?? 0, inside);
  });
}

/** Returns the starts of a line at the start of a piece or inside it, of which there are no more than characters. */
function startsWithin(line: readonly TextStart[], { x, width, text }: PdfPiece): TextStart[] {
  const from = findFirst(line, (start) => start.x >= x - BASELINE_MAX);
  const to = findFirst(line, (start) => start.x >= x + width);
  return line.slice(from, Math.min(to, from + text.length + 1));
}

/** Returns the index of the first item for which `isAfter` is true, as it then is for all that follow. */
function findFirst<T>(items: readonly T[], isAfter: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item === undefined || isAfter(item)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function divide(piece: PdfPiece, firstGlyphs: number, inside: readonly TextStart[]): PdfPiece[] {
  const text = Array.from(piece.text);
  const words = estimateWordPositions(piece);
  const cuts: { at: number; x: number }[] = [];
  let glyphs = firstGlyphs;
  let from = 0;
  for (const start of inside) {
    const counted = glyphs > 0 ? afterSpaces(text, from + glyphs) : 0;
    const at =
      counted > from && counted < text.length ? counted : nearestWord(words, start.x, { from, size: piece.size });
    if (at === null) continue;
    cuts.push({ at, x: start.x });
    from = at;
    glyphs = start.glyphs;
  }
  if (cuts.length === 0) return [piece];
  const bounds = [{ at: 0, x: piece.x }, ...cuts];
  return bounds.map(({ at, x }, index) => {
    const next = bounds[index + 1];
    const end = piece.x + piece.width;
    const isApart = index > 0 || piece.isApart === true;
    const own = text.slice(at, next?.at).join('').trim();
    if (next === undefined) return { ...piece, text: own, x, width: Math.max(0, end - x), isApart };
    const gap = text[next.at - 1] === ' ' ? SPACE_MIN * piece.size : 0;
    const last = words[findFirst(words, (word) => word.at >= next.at) - 1];
    const shift = x - (words[findFirst(words, (word) => word.at >= at)]?.left ?? x);
    const right = Math.min(next.x - gap, gap === 0 ? Infinity : (last?.right ?? end) + shift);
    return { ...piece, text: own, x, width: Math.max(0, right - x), isApart };
  });
}

function afterSpaces(text: readonly string[], at: number): number {
  return text[at] === ' ' ? at + 1 : at;
}

/** Returns the character at which the word nearest to `x` begins; `null` if none after `from` is near. */
function nearestWord(
  words: readonly { at: number; left: number }[],
  x: number,
  { from, size }: { from: number; size: number },
): number | null {
  const next = findFirst(words, ({ left }) => left >= x);
  const near = words.slice(Math.max(0, next - 1), next + 1).filter(({ at }) => at > from);
  const [nearest] = near.sort((one, other) => Math.abs(one.left - x) - Math.abs(other.left - x));
  return nearest === undefined || Math.abs(nearest.left - x) > NEAR_MAX * size ? null : nearest.at;
}
