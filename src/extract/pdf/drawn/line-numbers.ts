import type { PdfPiece } from './pieces.ts';

const NUMBER = /^\d{1,4}$/;
/** Minimum ascending numbers in a column of line numbers. Fewer may belong to a list. */
const NUMBERS_MIN = 4;
const STEP_MAX = 5;
/** Maximum distance between the edges of numbers in one column, in points. */
const EDGE = 1.5;
const WIDE_EDGE = 6;
/** Minimum share of lines that begin in the middle of a sentence. Rows of a table and items of a list do not. */
const GOES_ON_SHARE_MIN = 0.3;
const LINE_CHARS_MIN = 25;
/** Maximum vertical distance of a line number from its line, in multiples of the text size. */
const SAME_LINE = 0.35;
/** Minimum gap between two cells of a table row, in multiples of the text size. */
const CELL_GAP = 3;

/** A number and the text on its line; none on an empty line of code. */
type Numbered = { number: PdfPiece; lines: PdfPiece[] };

/** Removes line numbers in a margin. `hasNumbers` is true if there were any. */
export function removeLineNumbers(pieces: readonly PdfPiece[]): { pieces: PdfPiece[]; hasNumbers: boolean } {
  const numbers = pieces.filter(({ text }) => NUMBER.test(text.trim()));
  if (!mayBeColumn(numbers)) return { pieces: [...pieces], hasNumbers: false };
  const left = numberedLines(numbers, pieces, (number, piece) => piece.x >= number.x + number.width);
  const right = numberedLines(numbers, pieces, (number, piece) => piece.x + piece.width <= number.x);
  const found = new Set<PdfPiece>();
  for (const run of [
    ...runsOf(left, ({ x }) => x),
    ...runsOf(left, ({ x, width }) => x + width),
    ...runsOf(right, ({ x }) => x),
  ]) {
    if (isText(run)) for (const { number } of run) found.add(number);
  }
  return { pieces: pieces.filter((piece) => !found.has(piece)), hasNumbers: found.size > 0 };
}

/** True if enough numbers are in one column: a fast test before the thorough one. */
function mayBeColumn(numbers: readonly PdfPiece[]): boolean {
  const places = new Map<number, number>();
  for (const { x, width } of numbers) {
    for (const edge of new Set([Math.round(x / WIDE_EDGE), -Math.round((x + width) / WIDE_EDGE)])) {
      places.set(edge, (places.get(edge) ?? 0) + 1);
    }
  }
  // Two neighbouring values are added up, because rounding may divide the numbers of one column.
  return [...places].some(([place, count]) => count + (places.get(place + 1) ?? 0) >= NUMBERS_MIN);
}

function numberedLines(
  numbers: readonly PdfPiece[],
  pieces: readonly PdfPiece[],
  isBeside: (number: PdfPiece, piece: PdfPiece) => boolean,
): Numbered[] {
  const rows = Map.groupBy(pieces, ({ y }) => Math.round(y));
  return numbers.flatMap((number) => {
    const around = [-3, -2, -1, 0, 1, 2, 3].flatMap((by) => rows.get(Math.round(number.y) + by) ?? []);
    // A row with more pieces is a drawing.
    if (around.length > 1_000) return [];
    const lines = around.filter(
      (piece) => piece !== number && Math.abs(piece.y - number.y) < SAME_LINE * Math.max(piece.size, number.size),
    );
    return lines.every((piece) => isBeside(number, piece)) ? [{ number, lines }] : [];
  });
}

function runsOf(numbered: readonly Numbered[], edgeOf: (piece: PdfPiece) => number): Numbered[][] {
  const sorted = [...numbered].sort(
    (one, other) =>
      Math.round(edgeOf(one.number) / EDGE) - Math.round(edgeOf(other.number) / EDGE) || one.number.y - other.number.y,
  );
  const runs: Numbered[][] = [];
  let run: Numbered[] = [];
  let step = 0;
  for (const one of sorted) {
    const last = run.at(-1);
    const by = last === undefined ? 0 : Number(one.number.text) - Number(last.number.text);
    const isSameEdge = last !== undefined && Math.abs(edgeOf(one.number) - edgeOf(last.number)) < EDGE;
    if (last !== undefined && (!isSameEdge || by < 1 || by > STEP_MAX || (run.length > 1 && by !== step))) {
      runs.push(run);
      run = [];
    }
    if (run.length === 1) step = by;
    run.push(one);
  }
  return [...runs, run].filter((one) => one.filter(({ lines }) => lines.length > 0).length >= NUMBERS_MIN);
}

function isText(all: readonly Numbered[]): boolean {
  const run = all.filter(({ lines }) => lines.length > 0);
  const isCode = run.filter(({ number, lines }) => lines.every(({ mono }) => mono) && isApart(number, lines)).length;
  if (isCode * 2 > run.length) return true;
  let chars = 0;
  let goesOn = 0;
  for (const { lines } of run) {
    const sorted = [...lines].sort((one, other) => one.x - other.x);
    const text = sorted.map((piece) => piece.text);
    if (sorted.some((piece, index) => isCell(piece, sorted[index - 1]))) return false;
    chars += text.join(' ').length;
    if (/^\p{Ll}/u.test(text[0]?.trim() ?? '')) goesOn += 1;
  }
  return chars >= LINE_CHARS_MIN * run.length && goesOn >= GOES_ON_SHARE_MIN * run.length;
}

function isCell(piece: PdfPiece, before: PdfPiece | undefined): boolean {
  return before !== undefined && piece.x - before.x - before.width > CELL_GAP * piece.size;
}

/** True if the number is smaller than its line or in another font, as line numbers of code are. */
function isApart(number: PdfPiece, lines: readonly PdfPiece[]): boolean {
  return lines.every(({ size, font }) => font !== number.font || size > number.size * 1.1);
}
