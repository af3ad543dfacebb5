import type { PdfPiece } from './pieces.ts';
import { estimateWordPositions } from '#extract/pdf/tables/word-places.ts';

/** The start of a text that a page draws apart from others, in units of the page. */
export type TextStart = { x: number; y: number };

/**
 * Matches a text of LibreOffice with its position. LibreOffice draws each cell, and each part of a line with its own
 * look, in an object of its own.
 */
const TEXT = /\sBT\s+(-?\d{1,5}(?:\.\d{1,6})?) (-?\d{1,5}(?:\.\d{1,6})?) Td \/F\d{1,4} \d/g;
const IS_LIBRE_OFFICE = /^0\.1 w\s+q /;
/** Maximum texts of a page that are read. */
const STARTS_MAX = 20_000;
/** Maximum distance of baselines that are the same, in points. */
const BASELINE_MAX = 0.5;
/** Maximum distance of the estimated start of a word from the start of a text, in multiples of the text size. */
const NEAR_MAX = 1.2;

/** Width of a space that pdf.js found between two texts, in multiples of the text size. */
const SPACE_MIN = 0.2;

/** Returns the starts of all texts in the content of a page by LibreOffice; none for others. Linear time. */
export function findTextStarts(content: string): TextStart[] {
  if (!IS_LIBRE_OFFICE.test(content)) return [];
  const starts: TextStart[] = [];
  for (const [, x, y] of content.matchAll(TEXT)) {
    starts.push({ x: Number(x), y: Number(y) });
    if (starts.length >= STARTS_MAX) break;
  }
  return starts;
}

/** Divides pieces that pdf.js joined across a narrow gap, at the places where the page begins another text. */
export function divideAtTextStarts(
  pieces: readonly PdfPiece[],
  starts: readonly TextStart[],
  viewport: readonly number[],
): PdfPiece[] {
  if (starts.length === 0) return [...pieces];
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = viewport;
  const lines = Map.groupBy(
    starts.map(({ x, y }) => ({ x: va * x + vc * y + ve, y: vb * x + vd * y + vf })),
    ({ y }) => Math.round(y / BASELINE_MAX),
  );
  return pieces.flatMap((piece) => {
    const key = Math.round(piece.y / BASELINE_MAX);
    const near = [key - 1, key, key + 1].flatMap((one) => lines.get(one) ?? []);
    const isApart = near.some(({ x }) => Math.abs(x - piece.x) <= BASELINE_MAX);
    const inside = near
      .map(({ x }) => x)
      .filter((x) => x > piece.x + piece.size / 4 && x < piece.x + piece.width)
      .sort((one, other) => one - other);
    const own = isApart ? { ...piece, isApart } : piece;
    return inside.length === 0 || piece.rtl ? [own] : divide(own, inside);
  });
}

function divide(piece: PdfPiece, places: readonly number[]): PdfPiece[] {
  const words = estimateWordPositions(piece);
  const begins = new Map<number, number>();
  let from = 1;
  for (const place of places) {
    let best = from;
    for (let at = from; at < words.length; at += 1)
      if (Math.abs((words[at]?.left ?? 0) - place) < Math.abs((words[best]?.left ?? Infinity) - place)) best = at;
    const word = words[best];
    if (word === undefined || Math.abs(word.left - place) > NEAR_MAX * piece.size) continue;
    begins.set(best, place);
    from = best + 1;
  }
  if (begins.size === 0) return [piece];
  const bounds = [0, ...begins.keys()];
  return bounds.map((start, index) => {
    const end = bounds[index + 1] ?? words.length;
    const x = begins.get(start) ?? piece.x;
    const shift = x - (words[start]?.left ?? x);
    const next = begins.get(end) ?? piece.x + piece.width;
    const right = Math.min(next - SPACE_MIN * piece.size, (words[end - 1]?.right ?? x) + shift);
    const text = words
      .slice(start, end)
      .map((word) => word.text)
      .join(' ');
    const width = Math.max(0, (end === words.length ? piece.x + piece.width : right) - x);
    return { ...piece, text, x, width, isApart: start > 0 || piece.isApart === true };
  });
}
