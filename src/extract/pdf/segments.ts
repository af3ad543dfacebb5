import { escapeInline } from '#extract/escape.ts';
import { APART_GAP_MIN_EM } from '#extract/pdf/drawn/pieces.ts';
import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import type { DrawnLine } from '#extract/pdf/drawn/path-boxes.ts';
import { divideRows } from '#extract/pdf/tables/cell-rows.ts';
import type { RuledGrid } from '#extract/pdf/tables/ruled-grids.ts';

/** A piece of text on one baseline without wide gaps. */
export type Segment = {
  left: number;
  right: number;
  y: number;
  size: number;
  text: string;
  plain: string;
  rtl: boolean;
  mono: boolean;
  font: string;
  /** True for text that the page draws apart from the text before it, as a table's cell. */
  isApart?: boolean;
  /** The drawn line below the text, at least as long as the text, as below the header of a table. */
  underline?: { from: number; to: number };
  /** Set for a row of a table whose cells are divided by drawn lines. This segment is as wide as the table. */
  ruled?: RuledRow;
  /** For code: its pieces with their positions, from which gaps are computed. */
  parts: readonly { x: number; width: number; text: string }[];
};

/** A row of a table with drawn lines. `lines` are the lines of text in a cell. Rows of one table share `grid`. */
export type RuledRow = { grid: RuledGrid; cells: readonly { from: number; to: number; lines: readonly Segment[] }[] };

export type PdfLine = Segment & {
  isRow: boolean;
  /** True for a copy of a table's header on a page on which the table continues. */
  isCopiedHead?: boolean;
  cells: readonly Segment[];
};

export type PageLines = { height: number; regions: PdfLine[][] };

/** Maximum vertical distance of pieces of text on one line, in multiples of the text size. */
const SAME_BASELINE = 0.45;
/** Minimum gap between two words, in multiples of the text size. */
const GAP_OF_WORDS = 0.16;
/** Minimum gap between two segments on a line, in multiples of the text size. */
export const SEGMENT_GAP_MIN_EM = 0.95;
/** Minimum gap between two cells of a table row, in multiples of the text size. */
const GAP_OF_CELLS = 2;
/** Minimum gap after a bullet that is drawn as a letter. Spaces between words are narrower. */
const GAP_OF_BULLET = 0.8;
const NO_CONTEXT = { inLink: false, inCell: false };
const IN_LINK = { inLink: true, inCell: false };

export function toSegments(pieces: readonly PdfPiece[]): Segment[] {
  return segmentsIn(divideRows(groupByBaseline(pieces)).flat());
}

/** Sets `underline` for text above a drawn line that is at least as long. */
export function markUnderlines(segments: readonly Segment[], across: readonly DrawnLine[]): Segment[] {
  return segments.map((segment) => {
    const { left, right, y, size } = segment;
    const underline = across.find(
      ({ at, from, to }) =>
        at > y && at < y + size && from < left + size && to > right - size && to - from >= right - left,
    );
    return underline === undefined ? segment : { ...segment, underline };
  });
}

/** Returns a segment for each row of a table whose cells are divided by drawn lines. */
export function toRuledRowSegments(grid: RuledGrid): Segment[] {
  return grid.rows.flatMap((row) => {
    const cells = row.map(({ from, to, pieces }) => ({ from, to, lines: segmentsIn(groupByBaseline(pieces)) }));
    const lines = cells.flatMap((cell) => cell.lines).sort((one, other) => one.y - other.y);
    const [first] = lines;
    if (first === undefined) return [];
    const plain = lines.map((line) => line.plain).join(' ');
    const { left, right } = grid;
    return [{ ...first, left, right, plain, text: plain, rtl: false, mono: false, parts: [], ruled: { grid, cells } }];
  });
}

function segmentsIn(rows: readonly (readonly PdfPiece[])[]): Segment[] {
  return rows.map(withBullet).flatMap((row) => {
    const segments: Segment[] = [];
    let part: PdfPiece[] = [];
    let right = -Infinity;
    for (const piece of row) {
      const before = part.at(-1);
      if (before !== undefined && piece.x - right > SEGMENT_GAP_MIN_EM * Math.min(before.size, piece.size)) {
        segments.push(join(part));
        part = [];
      }
      part.push(piece);
      right = Math.max(part.length === 1 ? -Infinity : right, piece.x + piece.width);
    }
    return [...segments, join(part)];
  });
}

/** Replaces a monospaced `o` at the start of a row: Word's hollow bullet. Before an ordinary space, it is a word. */
function withBullet(row: readonly PdfPiece[]): readonly PdfPiece[] {
  const [mark, next] = row;
  if (mark?.mono !== true || mark.text.trim() !== 'o' || next?.mono !== false) return row;
  const isBullet = next.x - (mark.x + mark.width) >= GAP_OF_BULLET * mark.size;
  return isBullet ? [{ ...mark, text: '◦' }, ...row.slice(1)] : row;
}

export function toPdfLines(segments: readonly Segment[]): PdfLine[] {
  const ruled = segments.filter((segment) => segment.ruled !== undefined);
  if (ruled.length === 0) return textLines(segments);
  const rows = ruled.map((row): PdfLine => ({ ...row, isRow: true, cells: [row] }));
  const others = textLines(segments.filter((segment) => segment.ruled === undefined));
  return [...rows, ...others].sort((one, other) => one.y - other.y);
}

function textLines(segments: readonly Segment[]): PdfLine[] {
  return groupByBaseline(segments.map((segment) => ({ ...segment, x: segment.left }))).map((row) => {
    const rtl = row.filter((segment) => segment.rtl).length * 2 > row.length;
    const parts = rtl ? [...row].reverse() : row;
    let wide = false;
    for (const [index, part] of row.entries()) {
      const before = row[index - 1];
      if (before !== undefined && part.left - before.right > GAP_OF_CELLS * part.size) wide = true;
    }
    const main = [...row].sort((one, other) => other.plain.length - one.plain.length)[0];
    return {
      left: row[0]?.left ?? 0,
      right: row.reduce((most, part) => Math.max(most, part.right), -Infinity),
      y: main?.y ?? 0,
      size: main?.size ?? 0,
      text: parts.map((part) => part.text).join(wide ? '   ' : ' '),
      plain: parts.map((part) => part.plain).join(' '),
      rtl,
      mono: row.every((part) => part.mono),
      font: main?.font ?? '',
      parts: row.flatMap((part) => part.parts),
      isRow: wide,
      cells: row,
    };
  });
}

/** Groups items with the same baseline into rows, from top to bottom and within a row from left to right. */
export function groupByBaseline<T extends { x: number; y: number; size: number }>(items: readonly T[]): T[][] {
  const sorted = [...items].sort((one, other) => one.y - other.y || one.x - other.x);
  const rows: T[][] = [];
  let row: T[] = [];
  let y = 0;
  let size = 0;
  for (const item of sorted) {
    if (row.length > 0 && item.y - y > SAME_BASELINE * Math.max(size, item.size)) {
      rows.push(row);
      row = [];
    }
    if (row.length === 0) {
      ({ y, size } = item);
    } else if (item.size > size * 1.2) {
      // The largest text decides about the baseline, because a superscript is above it.
      ({ y, size } = item);
    }
    row.push(item);
  }
  if (row.length > 0) rows.push(row);
  for (const one of rows) one.sort((first, second) => first.x - second.x);
  return rows;
}

function join(pieces: readonly PdfPiece[]): Segment {
  const rtl = pieces.filter((piece) => piece.rtl).length * 2 > pieces.length;
  const ordered = rtl ? [...pieces].reverse() : pieces;
  let text = '';
  let plain = '';
  let run = '';
  let link: string | null = null;
  let script = '';
  const endRun = (next: string) => {
    text += written(run, link) + scriptTags(script, next);
    script = next;
    run = '';
  };
  for (const [index, piece] of ordered.entries()) {
    const before = ordered[index - 1];
    const space = before !== undefined && needsSpace(rtl ? piece : before, rtl ? before : piece, plain);
    let gap = space ? ' ' : '';
    if (piece.link !== link || piece.script !== script) {
      // The space before a superscript or subscript does not belong to it.
      if (piece.script !== script && piece.script !== '') {
        run += gap;
        gap = '';
      }
      endRun(piece.script);
      link = piece.link;
    }
    run += gap + piece.text;
    plain += space ? ` ${piece.text}` : piece.text;
  }
  endRun('');
  const mono = pieces.every((piece) => piece.mono);
  const main = [...pieces].sort((one, other) => other.text.length - one.text.length)[0];
  return {
    left: pieces[0]?.x ?? 0,
    right: pieces.reduce((most, piece) => Math.max(most, piece.x + piece.width), -Infinity),
    y: main?.y ?? 0,
    size: main?.size ?? 0,
    text: text.replace(/ {2,}/g, ' ').trim(),
    plain: plain.replace(/ {2,}/g, ' ').trim(),
    rtl,
    mono,
    font: main?.font ?? '',
    parts: mono ? pieces : [],
    isApart: pieces[0]?.isApart === true,
  };
}

const OPENED: Readonly<Record<string, string>> = { '^': '<sup>', _: '<sub>', '!': '<sup>[' };
const CLOSED: Readonly<Record<string, string>> = { '^': '</sup>', _: '</sub>', '!': ']</sup>' };

function scriptTags(from: string, to: string): string {
  let shared = 0;
  while (shared < from.length && from.charAt(shared) === to.charAt(shared)) shared += 1;
  const closed = Array.from(from.slice(shared))
    .reverse()
    .map((mark) => CLOSED[mark] ?? '');
  const opened = Array.from(to.slice(shared), (mark) => OPENED[mark] ?? '');
  return closed.join('') + opened.join('');
}

function needsSpace(left: PdfPiece, right: PdfPiece, soFar: string): boolean {
  const gap = right.x - (left.x + left.width);
  const least = right.isApart === true ? APART_GAP_MIN_EM : GAP_OF_WORDS;
  return gap > least * Math.max(left.size, right.size) && !soFar.endsWith(' ');
}

function written(run: string, link: string | null): string {
  if (link === null || run.trim() === '') return escapeInline(run, NO_CONTEXT);
  const text = run.trim();
  const start = run.indexOf(text);
  return `${run.slice(0, start)}[${escapeInline(text, IN_LINK)}](${link})${run.slice(start + text.length)}`;
}
