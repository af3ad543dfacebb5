import { escapeInline } from '#extract/escape.ts';
import { PDF_LINKS_PER_PAGE_MAX } from '#extract/limits.ts';
import { toPlain } from '#core/text/plain.ts';

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
};

/** One line of a column. */
export type Line = Segment & {
  /** Whether it consists of parts far from each other, like a row of a table. */
  isRow: boolean;
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
      isRow: wide,
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
  const endRun = () => {
    text += written(run, link);
    run = '';
  };
  for (const [index, piece] of ordered.entries()) {
    const before = ordered[index - 1];
    const space = before !== undefined && needsSpace(rtl ? piece : before, rtl ? before : piece, plain);
    if (piece.link !== link) {
      endRun();
      link = piece.link;
    }
    run += space ? ` ${piece.text}` : piece.text;
    plain += space ? ` ${piece.text}` : piece.text;
  }
  endRun();
  const main = [...pieces].sort((one, other) => other.text.length - one.text.length)[0];
  return {
    left: pieces[0]?.x ?? 0,
    right: pieces.reduce((most, piece) => Math.max(most, piece.x + piece.width), -Infinity),
    y: main?.y ?? 0,
    size: main?.size ?? 0,
    text: text.replace(/ {2,}/g, ' ').trim(),
    plain: plain.replace(/ {2,}/g, ' ').trim(),
    rtl,
    mono: pieces.every((piece) => piece.mono),
  };
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

/** The typography of a whole document. */
export type TextStyle = {
  /** Size of most of the text, in half points. */
  body: number;
  /** Sizes of headings → level. The largest is 1. */
  levels: ReadonlyMap<number, number>;
  /** Words that are written with a hyphen in the middle of a line. */
  hyphenated: ReadonlySet<string>;
  /** Whether text of equal letter widths is code; it is if most of the document has other text. */
  marksCode: boolean;
};

const HEADING_TIMES_MIN = 1.12;
export const HEADING_CHARS_MAX = 250;
const LEVELS_MAX = 4;
const HYPHENATED_MAX = 20_000;

export function styleOf(pages: readonly PageLines[]): TextStyle {
  const chars = new Map<number, number>();
  let mono = 0;
  let all = 0;
  const hyphenated = new Set<string>();
  const lines = pages.flatMap((page) => page.regions.flat());
  for (const line of lines) {
    const size = roundSize(line.size);
    all += line.plain.length;
    if (line.mono) mono += line.plain.length;
    chars.set(size, (chars.get(size) ?? 0) + line.plain.length);
    if (hyphenated.size > HYPHENATED_MAX) continue;
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
  return { body, levels, hyphenated, marksCode: mono * 2 < all };
}

export function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}

/** Text as it is drawn: points from the left and top edge of the upright page, with `y` at the baseline. */
type Piece = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  rtl: boolean;
  /** All letters have the same width. */
  mono: boolean;
  link: string | null;
};

export type LinkArea = { left: number; right: number; top: number; bottom: number; href: string };

/** One run of text from pdf.js. `transform` places it on the page. */
export type TextRun = { str: string; dir: string; width: number; transform: readonly number[]; mono: boolean };

/** Text that leans more than this is rotated, and not part of the page's lines. */
const LEAN_MAX = 0.2;
/** Letters by which the edge of a link may move to stand between words. */
const SNAP_CHARS = 4;
const LIGATURES = /[\ufb00-\ufb06]/g;

/** The upright runs as pieces in page coordinates, and the text of rotated ones (stamps in the margin). */
export function piecesOf(
  runs: readonly TextRun[],
  viewport: readonly number[],
): { upright: Piece[]; turned: string[] } {
  const upright: Piece[] = [];
  const turned: string[] = [];
  for (const run of runs) {
    const text = toPlain(run.str.replace(LIGATURES, (ligature) => ligature.normalize('NFKC'))).replace(/\s+/g, ' ');
    if (text.trim() === '') continue;
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = run.transform;
    const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = viewport;
    const along = { x: va * a + vc * b, y: vb * a + vd * b };
    const size = Math.hypot(va * c + vc * d, vb * c + vd * d);
    const x = va * e + vc * f + ve;
    const y = vb * e + vd * f + vf;
    const fits = [x, y, size, run.width].every((number) => Number.isFinite(number) && Math.abs(number) < 1e6);
    if (!fits || size === 0) continue;
    if (along.x <= 0 || Math.abs(along.y) > LEAN_MAX * along.x || run.dir === 'ttb') turned.push(text.trim());
    else
      upright.push({
        text,
        x,
        y,
        width: Math.max(0, run.width),
        size,
        rtl: run.dir === 'rtl',
        mono: run.mono,
        link: null,
      });
  }
  return { upright, turned };
}

/** Marks the pieces in the areas of links. A run that is only partly inside is split between words. */
export function withLinks(pieces: readonly Piece[], areas: readonly LinkArea[]): Piece[] {
  let marked = [...pieces];
  for (const area of areas.slice(0, PDF_LINKS_PER_PAGE_MAX)) {
    if (!marked.some((piece) => isCovered(piece, area))) continue;
    marked = marked.flatMap((piece) => (isCovered(piece, area) ? split(piece, area) : [piece]));
  }
  return marked;
}

function isCovered(piece: Piece, area: LinkArea): boolean {
  const middle = piece.y - piece.size * 0.3;
  if (piece.link !== null || middle < area.top || middle > area.bottom) return false;
  return Math.min(piece.x + piece.width, area.right) - Math.max(piece.x, area.left) > piece.size * 0.3;
}

function split(piece: Piece, area: LinkArea): Piece[] {
  const { text, x, width } = piece;
  const charWidth = width / text.length;
  if (charWidth === 0 || piece.rtl) return [{ ...piece, link: area.href }];
  const from = snap(text, Math.round((area.left - x) / charWidth));
  const to = snap(text, Math.round((area.right - x) / charWidth));
  if (to <= from) return [piece];
  const part = (start: number, end: number, link: string | null): Piece[] =>
    text.slice(start, end).trim() === ''
      ? []
      : [{ ...piece, text: text.slice(start, end), x: x + start * charWidth, width: (end - start) * charWidth, link }];
  return [...part(0, from, null), ...part(from, to, area.href), ...part(to, text.length, null)];
}

/** The nearest place between two words, if one is close enough. */
function snap(text: string, at: number): number {
  if (at <= 1) return 0;
  if (at >= text.length - 1) return text.length;
  for (let distance = 0; distance <= SNAP_CHARS; distance += 1) {
    for (const edge of [at - distance, at + distance]) {
      if (edge <= 0) return 0;
      if (edge >= text.length) return text.length;
      if (text.charAt(edge) === ' ' || text.charAt(edge - 1) === ' ') return edge;
    }
  }
  return at;
}
