import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import type { DrawnLine, DrawnLines } from '#extract/pdf/drawn/path-boxes.ts';
import { isNumeric } from './cell-edges.ts';
import { estimateWordPositions } from './word-places.ts';

/**
 * A table whose cells are divided by drawn lines. Each cell consists of its pieces of text and the columns that it
 * covers.
 */
export type RuledGrid = { left: number; right: number; columns: number; rows: RuledCell[][] };
type RuledCell = { from: number; to: number; pieces: PdfPiece[] };

/**
 * Drawn lines of a table. `xs` are the positions of its vertical lines and outer edges, from left to right, and `ys`
 * those of its horizontal lines (`floors`) and outer edges, from top to bottom.
 */
type Frame = { xs: number[]; ys: number[]; walls: Wall[]; floors: DrawnLine[] };
/** A vertical line at `xs[index]`, with its upper and lower end. */
type Wall = { index: number; from: number; to: number };
type Band = { top: number; bottom: number; pieces: PdfPiece[] };

/** Maximum distance between two lines that touch, in points. */
const TOUCH = 2.5;
/** Maximum distance between lines that count as one, in points. */
const NARROW = 4;
/** Maximum vertical distance of pieces of text on one line, in multiples of the text size. */
const SAME_BASELINE = 0.45;
/** Minimum distance of a vertical line from the ends of a text that it divides, in multiples of the text size. */
const WORD_GAP = 0.1;
const ROWS_MIN = 2;
const COLUMNS_MAX = 40;
/** Minimum gap between two values in one cell, in multiples of the text size. */
const CELL_GAP_MIN = 0.7;
/** Minimum share of cells with text. A drawing on a grid has fewer. */
const FILLED_MIN = 0.25;
/** Maximum share of cells that have several values not divided by a drawn line. */
const UNDIVIDED_MAX = 0.4;
/** Number of pieces below a piece that are compared with it, to find text over other text. */
const NEIGHBOURS = 40;
/** Maximum distance of texts drawn over each other, in multiples of the text size. Lines of text are farther apart. */
const OVERLAP_PITCH_MAX = 0.6;
/**
 * Minimum share of rows with one line of text, not counting the first row. If there are fewer, lines are drawn between
 * groups of rows.
 */
const SINGLE_MIN = 0.3;

/**
 * Finds tables with drawn lines that have at least two rows and columns. `others`: the pieces of text outside the
 * tables.
 */
export function findRuledGrids(
  pieces: readonly PdfPiece[],
  rules: DrawnLines,
): { grids: RuledGrid[]; others: readonly PdfPiece[] } {
  const grids: RuledGrid[] = [];
  let others = pieces;
  for (const frame of framesOf(rules)) {
    const inside = others.filter((piece) => isInside(piece, frame));
    const grid = gridOf(frame, inside);
    if (grid === null) continue;
    grids.push(grid);
    const taken = new Set(inside);
    others = others.filter((piece) => !taken.has(piece));
  }
  return { grids, others };
}

/** Groups drawn lines that touch. Each group may be the lines of a table. */
function framesOf({ across, down }: DrawnLines): Frame[] {
  const groupOf = new Map<DrawnLine, { across: DrawnLine[]; down: DrawnLine[] }>();
  for (const line of across) groupOf.set(line, { across: [line], down: [] });
  for (const line of down) {
    const group: { across: DrawnLine[]; down: DrawnLine[] } = { across: [], down: [line] };
    const touched = new Set(across.filter((other) => touch(line, other)).flatMap((other) => groupOf.get(other) ?? []));
    for (const other of touched) {
      group.across.push(...other.across);
      group.down.push(...other.down);
    }
    for (const each of group.across) groupOf.set(each, group);
  }
  const groups = [...new Set(groupOf.values())].filter((group) => group.down.length > 0 && group.across.length > 1);
  return groups.map(frameOf).filter(({ xs, ys }) => xs.length > 2 && xs.length <= COLUMNS_MAX && ys.length > 1);
}

function frameOf({ across, down }: DrawnLines): Frame {
  const ends = (lines: readonly DrawnLine[]) => [
    lines.reduce((least, { from }) => Math.min(least, from), Infinity),
    lines.reduce((most, { to }) => Math.max(most, to), -Infinity),
  ];
  const xs = places([...down.map(({ at }) => at), ...ends(across)]);
  return {
    xs,
    ys: places([...across.map(({ at }) => at), ...ends(down)]),
    walls: down.map(({ at, from, to }) => ({ index: nearest(xs, at), from, to })),
    floors: across,
  };
}

function places(values: readonly number[]): number[] {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted.filter((value, index) => index === 0 || value - (sorted[index - 1] ?? 0) > NARROW);
}

function touch(down: DrawnLine, across: DrawnLine): boolean {
  return (
    down.at >= across.from - TOUCH &&
    down.at <= across.to + TOUCH &&
    across.at >= down.from - TOUCH &&
    across.at <= down.to + TOUCH
  );
}

function isInside({ x, y, width, size }: PdfPiece, { xs, ys }: Frame): boolean {
  const [middle, height] = [x + width / 2, y - size * 0.3];
  const isAcross = middle > (xs[0] ?? Infinity) && middle < (xs.at(-1) ?? -Infinity);
  return isAcross && height > (ys[0] ?? Infinity) && height < (ys.at(-1) ?? -Infinity);
}

function gridOf(frame: Frame, pieces: readonly PdfPiece[]): RuledGrid | null {
  const bands = bandsOf(frame, pieces);
  const rows = bands.map((band) => cellsOf(band, frame)).filter((row) => row.length > 0);
  const used = new Set(rows.flatMap((row) => row.filter(({ from, to }) => from === to).map(({ from }) => from)));
  // Frames of slides contain only few texts, or texts over each other.
  const divided = rows.filter((row) => row.length > 1);
  if (divided.length < ROWS_MIN || used.size < 2 || overlap(pieces) || !areCells(rows, frame.xs.length - 1))
    return null;
  return { left: frame.xs[0] ?? 0, right: frame.xs.at(-1) ?? 0, columns: frame.xs.length - 1, rows };
}

/**
 * True if drawn lines divide all cells and enough have text. Lines between groups of columns leave cells undivided, and
 * drawings on a grid have few texts.
 */
function areCells(rows: readonly (readonly RuledCell[])[], columns: number): boolean {
  const cells = rows.flat();
  const undivided = cells.filter(({ pieces }) => hasGap(pieces));
  const isFilled = cells.length >= FILLED_MIN * rows.length * columns;
  return isFilled && undivided.length < UNDIVIDED_MAX * cells.length;
}

/** True if text is drawn over other text. */
function overlap(pieces: readonly PdfPiece[]): boolean {
  const sorted = pieces.filter(({ script }) => script === '').sort((one, other) => one.y - other.y);
  return sorted.some(({ x, y, width, size }, index) =>
    sorted.slice(index + 1, index + 1 + NEIGHBOURS).some((next) => {
      const shared = Math.min(x + width, next.x + next.width) - Math.max(x, next.x);
      return next.y - y < OVERLAP_PITCH_MAX * Math.min(size, next.size) && shared > Math.min(size, next.size);
    }),
  );
}

function hasGap(pieces: readonly PdfPiece[]): boolean {
  const sorted = [...pieces].sort((one, other) => one.y - other.y || one.x - other.x);
  return sorted.some((piece, index) => {
    const before = sorted[index - 1];
    if (before === undefined || piece.y - before.y > SAME_BASELINE * piece.size) return false;
    return piece.x - before.x - before.width > CELL_GAP_MIN * piece.size;
  });
}

/**
 * Returns the rows between horizontal lines. If these divide only the header or groups of rows, each line of text is a
 * row.
 */
function bandsOf(frame: Frame, pieces: readonly PdfPiece[]): Band[] {
  const { ys } = frame;
  const bands = ys.slice(1).map((bottom, index): Band => ({ top: ys[index] ?? 0, bottom, pieces: [] }));
  for (const piece of pieces) {
    const height = piece.y - piece.size * 0.3;
    bands.find(({ top, bottom }) => height > top && height <= bottom)?.pieces.push(piece);
  }
  repeatSpans(frame, bands);
  const filled = bands.filter((band) => band.pieces.length > 0);
  const body = filled.slice(1).map((band) => ({ lines: linesIn(band) }));
  const single = body.filter(({ lines }) => lines.length === 1);
  const isGroup = ({ lines }: { lines: readonly Band[] }) =>
    lines.length > 1 && lines.every((line) => line.pieces.some(({ text }) => isNumeric(text.trim())));
  const isDivided = body.length > 1 && single.length >= SINGLE_MIN * body.length && !body.some(isGroup);
  const left = pieces.reduce((least, { x }) => Math.min(least, x), Infinity);
  const first = (lines: readonly Band[]) => lines.filter((line) => startsRow(line, left));
  const isWrapped = body.length > 1 && body.every(({ lines }) => first(lines).length <= 1);
  if (isDivided || isWrapped) return filled;
  return filled.slice(0, 1).concat(body.flatMap(({ lines }) => lines));
}

/**
 * Repeats a cell over several rows in each of them. A cell extends over two rows if the line between them leaves out
 * its column, but not most columns.
 */
function repeatSpans({ xs, ys, floors }: Frame, bands: readonly Band[]): void {
  const columns = xs.slice(1).map((right, index) => ({ left: xs[index] ?? 0, right }));
  const sorted = [...floors].sort((one, other) => one.at - other.at);
  let next = 0;
  const open = ys.slice(1, -1).map((y) => {
    while ((sorted[next]?.at ?? Infinity) < y - NARROW) next += 1;
    let end = next;
    while ((sorted[end]?.at ?? Infinity) <= y + NARROW) end += 1;
    const lines = sorted.slice(next, end);
    const isOpen = columns.map(({ left, right }) => {
      const middle = (left + right) / 2;
      return !lines.some(({ from, to }) => from <= middle && to >= middle);
    });
    return isOpen.filter(Boolean).length * 2 <= columns.length ? isOpen : columns.map(() => false);
  });
  for (const [column, { left, right }] of columns.entries()) {
    for (let first = 0, last = 0; first < bands.length; first = last + 1) {
      last = first;
      while (open[last]?.[column] === true) last += 1;
      if (last > first) repeatIn(bands.slice(first, last + 1), left, right);
    }
  }
}

/** Repeats the text of a column in all rows, unless several rows have text there, which may belong to several cells. */
function repeatIn(bands: readonly Band[], left: number, right: number): void {
  const inColumn = ({ x, width }: PdfPiece) => x >= left - TOUCH && x + width <= right + TOUCH;
  const texts = bands.map((band) => band.pieces.filter(inColumn));
  const [text = [], ...others] = texts.filter((pieces) => pieces.length > 0);
  if (others.length > 0) return;
  const top = text.reduce((least, { y }) => Math.min(least, y), Infinity);
  for (const [index, band] of bands.entries()) {
    if (texts[index] === text || band.pieces.length === 0) continue;
    const base = band.pieces.reduce((least, { y }) => Math.min(least, y), Infinity);
    band.pieces.push(...text.map((piece) => ({ ...piece, y: base + piece.y - top })));
  }
}

/** True for a line of text that may begin a row, because it has a piece in the first column. */
function startsRow({ pieces }: Band, left: number): boolean {
  return pieces.some(({ x, size }) => x - left < size);
}

function linesIn({ top, bottom, pieces }: Band): Band[] {
  const lines: (Band & { y: number })[] = [];
  for (const piece of [...pieces].sort((one, other) => one.y - other.y)) {
    const last = lines.at(-1);
    if (last !== undefined && piece.y - last.y <= SAME_BASELINE * piece.size) last.pieces.push(piece);
    else lines.push({ top, bottom, y: piece.y, pieces: [piece] });
  }
  return lines;
}

/** Divides a row into cells. A cell covers several columns if no vertical line divides them. */
function cellsOf({ top, bottom, pieces }: Band, { xs, walls }: Frame): RuledCell[] {
  const middle = (top + bottom) / 2;
  const crossed = new Set(walls.filter(({ from, to }) => from <= middle && to >= middle).map(({ index }) => index));
  const starts = [0, ...xs.keys()].filter((index) => index > 0 && index < xs.length - 1 && crossed.has(index));
  const bounds = [0, ...starts, xs.length - 1];
  const cells = bounds.slice(1).map((to, index): RuledCell => ({ from: bounds[index] ?? 0, to: to - 1, pieces: [] }));
  for (const piece of pieces) {
    for (const part of splitAt(
      piece,
      bounds.map((index) => xs[index] ?? 0),
    )) {
      const at = part.x + part.width / 2;
      const cell = cells.find(({ to }) => at < (xs[to + 1] ?? Infinity)) ?? cells.at(-1);
      cell?.pieces.push(part);
    }
  }
  return cells.filter((cell) => cell.pieces.length > 0);
}

function nearest(xs: readonly number[], at: number): number {
  return xs.reduce((best, x, index) => (Math.abs(x - at) < Math.abs((xs[best] ?? 0) - at) ? index : best), 0);
}

/** Splits a piece at the vertical lines through it: pdf.js joins the text of cells across a narrow gap. */
function splitAt(piece: PdfPiece, bounds: readonly number[]): PdfPiece[] {
  const isCrossed = bounds.some(
    (bound) => bound > piece.x + WORD_GAP * piece.size && bound < piece.x + piece.width - WORD_GAP * piece.size,
  );
  if (!isCrossed || piece.rtl) return [piece];
  const parts: PdfPiece[] = [];
  let cellOfLast = -1;
  for (const { left, right, text } of estimateWordPositions(piece)) {
    const cell = bounds.filter((bound) => bound < (left + right) / 2).length;
    const last = parts.at(-1);
    if (last !== undefined && cellOfLast === cell) {
      last.text += ` ${text}`;
      last.width = right - last.x;
    } else parts.push({ ...piece, x: left, width: right - left, text });
    cellOfLast = cell;
  }
  return parts;
}
