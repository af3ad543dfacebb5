import { escapeInline } from '#extract/escape.ts';
import type { Piece } from '#extract/pdf/drawn/pieces.ts';

/** Text on one baseline without a gap in it. */
export type Segment = {
  left: number;
  right: number;
  y: number;
  size: number;
  /** As Markdown: escaped, with links. */
  text: string;
  plain: string;
  rtl: boolean;
  mono: boolean;
  /** The font of most of it. */
  font: string;
  /** Code: its parts with their places, because the gaps between them count. */
  parts: readonly { x: number; width: number; text: string }[];
};

/** One line of a column. */
export type Line = Segment & {
  /** Whether it consists of parts far from each other, like a row of a table. */
  isRow: boolean;
  /** Its parts from left to right. */
  cells: readonly Segment[];
};

/** The lines of a page, column by column. */
export type PageLines = { height: number; regions: Line[][] };

/** Distances in multiples of the text size. */
const SAME_BASELINE = 0.45;
const GAP_OF_WORDS = 0.16;
const GAP_OF_SEGMENTS = 1;
const GAP_OF_CELLS = 2;
const NO_CONTEXT = { inLink: false, inCell: false };
const IN_LINK = { inLink: true, inCell: false };

export function segmentsOf(pieces: readonly Piece[]): Segment[] {
  return rowsOf(pieces).flatMap((row) => {
    const segments: Segment[] = [];
    let part: Piece[] = [];
    let right = -Infinity;
    for (const piece of row) {
      const before = part.at(-1);
      if (before !== undefined && piece.x - right > GAP_OF_SEGMENTS * Math.min(before.size, piece.size)) {
        segments.push(join(part));
        part = [];
      }
      part.push(piece);
      right = Math.max(part.length === 1 ? -Infinity : right, piece.x + piece.width);
    }
    return [...segments, join(part)];
  });
}

/** The lines of one column, from top to bottom. */
export function linesOf(segments: readonly Segment[]): Line[] {
  return rowsOf(segments.map((segment) => ({ ...segment, x: segment.left }))).map((row) => {
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

/** Groups what shares a baseline, from top to bottom, each row from left to right. */
function rowsOf<T extends { x: number; y: number; size: number }>(items: readonly T[]): T[][] {
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
      // A superscript number stands above its line. The line is where the larger text is.
      ({ y, size } = item);
    }
    row.push(item);
  }
  if (row.length > 0) rows.push(row);
  for (const one of rows) one.sort((first, second) => first.x - second.x);
  return rows;
}

function join(pieces: readonly Piece[]): Segment {
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
      // The space before a script is not part of it.
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
  };
}

const OPENED: Readonly<Record<string, string>> = { '^': '<sup>', _: '<sub>', '!': '<sup>[' };
const CLOSED: Readonly<Record<string, string>> = { '^': '</sup>', _: '</sub>', '!': ']</sup>' };

/** The tags between text of the script `from` and text of the script `to`. */
function scriptTags(from: string, to: string): string {
  let shared = 0;
  while (shared < from.length && from.charAt(shared) === to.charAt(shared)) shared += 1;
  const closed = Array.from(from.slice(shared))
    .reverse()
    .map((mark) => CLOSED[mark] ?? '');
  const opened = Array.from(to.slice(shared), (mark) => OPENED[mark] ?? '');
  return closed.join('') + opened.join('');
}

function needsSpace(left: Piece, right: Piece, soFar: string): boolean {
  const gap = right.x - (left.x + left.width);
  return gap > GAP_OF_WORDS * Math.max(left.size, right.size) && !soFar.endsWith(' ');
}

function written(run: string, link: string | null): string {
  if (link === null || run.trim() === '') return escapeInline(run, NO_CONTEXT);
  const text = run.trim();
  const start = run.indexOf(text);
  return `${run.slice(0, start)}[${escapeInline(text, IN_LINK)}](${link})${run.slice(start + text.length)}`;
}
