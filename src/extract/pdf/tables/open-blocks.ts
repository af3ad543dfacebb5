import { APART_GAP_MIN_EM } from '#extract/pdf/drawn/pieces.ts';
import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import { groupByBaseline, SEGMENT_GAP_MIN_EM } from '#extract/pdf/segments.ts';
import { measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';
import { estimateWordPositions } from './word-places.ts';

/** A line of text in a cell. */
export type CellLine = HorizontalSpan & { y: number; size: number; font: string; text: string; pieces: PdfPiece[] };
/**
 * Successive lines of a page whose texts are in columns. `lines` has the texts of each line, from left to right, and
 * `above` those of the line above the block.
 */
export type OpenBlock = { columns: HorizontalSpan[]; lines: CellLine[][]; above: readonly CellLine[] };

/** Maximum distance between two lines of a block, in multiples of the text size. */
const PITCH_MAX = 3.5;
/** Maximum distance between two lines of a header cell, in multiples of the text size. */
const HEAD_PITCH_MAX = 1.4;
/** Minimum gap between two columns of a page that does not draw cells apart, in multiples of the text size. */
const GUTTER_MIN_EM = 0.5;
const COLUMNS_MAX = 40;
const LINES_MIN = 3;
/** Maximum lines of a block. */
const LINES_MAX = 300;
/** Maximum lines that are compared with the columns of a block, for all blocks of a page. Pages of text have far fewer. */
const COMPARED_MAX = 5_000;

/**
 * Finds blocks of lines that keep out of the same vertical strips, as the cells of a table do. Running text crosses all
 * strips.
 */
export function findOpenBlocks(pieces: readonly PdfPiece[]): OpenBlock[] {
  const rows = groupByBaseline(pieces).map(toCellLines);
  const gutter = pieces.some(({ isApart }) => isApart === true) ? APART_GAP_MIN_EM : GUTTER_MIN_EM;
  const blocks: OpenBlock[] = [];
  let compared = 0;
  for (let from = 0; from < rows.length && compared < COMPARED_MAX; from += 1) {
    const block = growBlock(rows, from, gutter);
    compared += block.lines.length;
    if (block.lines.length < LINES_MIN || block.lines.length >= LINES_MAX) continue;
    const count = block.lines.length;
    addHeadLines(block, rows, { from, gutter, least: blocks.at(-1)?.lines.at(-1) });
    block.above = rows[from - 1 - (block.lines.length - count)] ?? [];
    blocks.push(block);
    from = rows.indexOf(block.lines.at(-1) ?? []);
  }
  return blocks;
}

/** Divides a line at wide gaps, and at the start of each text that the page draws apart. */
function toCellLines(row: readonly PdfPiece[]): CellLine[] {
  const lines: CellLine[] = [];
  for (const piece of row) {
    const { x: left, y, size, font, text } = piece;
    const right = rightOf(piece);
    const last = lines.at(-1);
    const gapMax = (piece.isApart === true ? APART_GAP_MIN_EM : SEGMENT_GAP_MIN_EM) * size;
    if (last === undefined || left - last.right > gapMax)
      lines.push({ left, right, y, size, font, text, pieces: [piece] });
    else {
      last.right = Math.max(last.right, right);
      last.text += ` ${text}`;
      last.pieces.push(piece);
    }
  }
  return lines;
}

/** Returns the right edge of a piece without the space at its end, which may reach the next cell. */
function rightOf(piece: PdfPiece): number {
  const last = piece.text.endsWith(' ') ? estimateWordPositions(piece).at(-1) : undefined;
  return last?.right ?? piece.x + piece.width;
}

function growBlock(rows: readonly CellLine[][], from: number, gutter: number): OpenBlock {
  const first = rows[from] ?? [];
  const columns = first.map(({ left, right }) => ({ left, right }));
  const block: OpenBlock = { columns, lines: [], above: [] };
  if (columns.length < 2) return block;
  block.lines.push(first);
  for (const [index, row] of rows.slice(from + 1, from + LINES_MAX).entries()) {
    const before = rows[from + index];
    if (distance(before, row) > PITCH_MAX * (row[0]?.size ?? 0) || !addToColumns(row, block, gutter)) break;
    block.lines.push(row);
  }
  // A line with one text in the first column may follow the table.
  while (block.lines.at(-1)?.length === 1 && columnAt(columns, block.lines.at(-1)?.[0]) === 0) block.lines.pop();
  return block;
}

function distance(above: readonly CellLine[] | undefined, below: readonly CellLine[] | undefined): number {
  return (below?.[0]?.y ?? Infinity) - (above?.[0]?.y ?? 0);
}

/** Widens columns by the texts of a line. Returns false, without a change, if a text is in two columns. */
function addToColumns(row: readonly CellLine[], { columns, lines }: OpenBlock, gutter: number): boolean {
  const taken = new Set<HorizontalSpan>();
  const next = [...columns];
  for (const { left, right, size } of row) {
    const wide = { left: left - gutter * size, right: right + gutter * size };
    const near = next.filter((one) => measureOverlap(one, wide) > 0);
    // A header and the cells of its column need not be below each other.
    if (near.some((one) => taken.has(one)) || (near.length > 1 && lines.some((line) => countIn(near, line) > 1)))
      return false;
    const column = spanOf([...near, { left, right }]);
    for (const one of near) next.splice(next.indexOf(one), 1);
    next.push(column);
    taken.add(column);
  }
  if (next.length > COLUMNS_MAX) return false;
  columns.splice(0, columns.length, ...next.sort((one, other) => one.left - other.left));
  return true;
}

function countIn(columns: readonly HorizontalSpan[], line: readonly CellLine[]): number {
  return line.filter((text) => columnAt(columns, text) >= 0).length;
}

export function spanOf(spans: readonly HorizontalSpan[]): HorizontalSpan {
  return {
    left: spans.reduce((least, { left }) => Math.min(least, left), Infinity),
    right: spans.reduce((most, { right }) => Math.max(most, right), -Infinity),
  };
}

export function columnAt(columns: readonly HorizontalSpan[], line: HorizontalSpan | undefined): number {
  return line === undefined ? -1 : columns.findIndex((column) => measureOverlap(column, line) > 0);
}

/** Adds lines above the block that are further lines of its header: one text may be higher than those next to it. */
function addHeadLines(
  block: OpenBlock,
  rows: readonly CellLine[][],
  { from, gutter, least }: { from: number; gutter: number; least: CellLine[] | undefined },
): void {
  for (let at = from - 1; at >= 0 && rows[at] !== least; at -= 1) {
    const [row = [], next = []] = [rows[at], rows[at + 1]];
    const isHead = row.every((line) => line.font === next[0]?.font && columnAt(block.columns, line) > 0);
    if (!isHead || distance(row, next) > HEAD_PITCH_MAX * (row[0]?.size ?? 0)) return;
    if (!addToColumns(row, block, gutter)) return;
    block.lines.unshift(row);
  }
}
