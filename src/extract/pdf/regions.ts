import { areColumns, isTableBesideText, classifySides, measureSide } from './columns.ts';
import type { PositionedText, SideRelation } from './columns.ts';
import { groupByBaseline, SEGMENT_GAP_MIN_EM } from './segments.ts';
import type { Segment } from './segments.ts';
import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';

/** Minimum width of text that counts as crossing the columns, as a share of the width of the area to divide. */
const SPANS_SHARE = 0.55;
/** The same for text that may be next to a table, because the table may be much narrower than the text. */
const ACROSS_SHARE = 0.85;
/** Minimum distance of a gutter from the edge of the area to divide, as a share of the area's width. */
const EDGE_SHARE = 0.15;
/**
 * Minimum distance of a gutter from the edge if no text crosses it, because notes in a margin may be narrower than
 * columns.
 */
const MARGIN_SHARE = 0.06;
const SLOTS = 240;
/** Minimum width of a gutter, the gap between columns, in multiples of the text size. */
const GUTTER_MIN = 0.7;
/** Maximum share of narrow pieces of text that cross a gutter. Titles, captions and wide tables may cross it anyway. */
const CROSSING_SHARE_MAX = 0.12;
const GUTTERS_MAX = 5;
const SEGMENTS_MIN = 4;
const DEPTH_MAX = 3;

/** A horizontal band of an area: text across the gutter, or text to its left and right. */
type Band<T> = { across: T[]; left: T[]; right: T[] };

/**
 * Divides a page into regions in reading order: text across the page, columns from left to right, and notes in the
 * margin after the text next to them.
 * @param onDoubt called if short pieces next to each other may be columns or rows
 */
export function divideIntoRegions(segments: readonly Segment[], onDoubt: () => void, depth = 0): Segment[][] {
  if (segments.length === 0) return [];
  if (depth >= DEPTH_MAX || segments.length < SEGMENTS_MIN) return [[...segments]];
  const sorted = [...segments].sort((one, other) => one.y - other.y || one.left - other.left);
  for (const gutter of guttersOf(sorted)) {
    const bands = bandsOf(sorted, gutter);
    const kinds = kindsOf(bands);
    if (kinds.some((kind) => kind !== null && kind !== 'rows' && kind !== 'doubt')) {
      return divide(bands, kinds, (part) => divideIntoRegions(part, onDoubt, depth + 1));
    }
    if (depth === 0 && kinds.includes('doubt')) onDoubt();
  }
  return [[...segments]];
}

/**
 * Separates tables from running text next to them, in reading order. A row and a line of text at almost the same height
 * are not one row.
 */
export function separateTables<T extends PositionedText>(texts: readonly T[], depth = 0): T[][] {
  if (depth >= DEPTH_MAX || texts.length < SEGMENTS_MIN) return [[...texts]];
  const sorted = [...texts].sort((one, other) => one.y - other.y || one.left - other.left);
  for (const gutter of guttersOf(sorted, ACROSS_SHARE)) {
    const bands = bandsOf(sorted, gutter);
    const parts: T[][] = [];
    let whole: T[] = [];
    for (const { across, left, right } of bands) {
      if (isTableBesideText(measureSide(left), measureSide(right))) {
        parts.push([...whole, ...across], left, right);
        whole = [];
      } else whole.push(...across, ...left, ...right);
    }
    if (parts.length > 0) return [...parts, whole].flatMap((part) => separateTables(part, depth + 1));
  }
  return [[...texts]];
}

function divide(
  bands: readonly Band<Segment>[],
  kinds: readonly (SideRelation | null)[],
  inner: (segments: readonly Segment[]) => Segment[][],
): Segment[][] {
  const regions: Segment[][] = [];
  let whole: Segment[] = [];
  for (const [index, { across, left, right }] of bands.entries()) {
    const kind = kinds[index] ?? null;
    if (kind === null || kind === 'rows' || kind === 'doubt') {
      whole.push(...across, ...left, ...right);
      continue;
    }
    regions.push(...inner(whole));
    whole = [];
    const isRtl = [...left, ...right].filter(({ rtl }) => rtl).length * 2 > left.length + right.length;
    const rightFirst = kind === 'left aside' || (isRtl && kind === 'columns');
    regions.push(...(rightFirst ? [...inner(right), ...inner(left)] : [...inner(left), ...inner(right)]));
  }
  return [...regions, ...inner(whole)];
}

/**
 * Decides what each band of an area is. If the texts to the left and to the right form columns over the whole area,
 * every band with text on a side is `columns`, even a short one.
 */
function kindsOf(bands: readonly Band<Segment>[]): (SideRelation | null)[] {
  const left = bands.flatMap((band) => band.left);
  const right = bands.flatMap((band) => band.right);
  if (left.length === 0 || right.length === 0) return bands.map(() => null);
  const all =
    areColumns(measureSide(left), measureSide(right)) ||
    areColumns(measureSide(outsideTables(left)), measureSide(outsideTables(right)));
  return bands.map((band) => {
    if (band.left.length === 0 && band.right.length === 0) return null;
    if (all) return 'columns';
    return band.left.length === 0 || band.right.length === 0
      ? null
      : classifySides(measureSide(band.left), measureSide(band.right));
  });
}

/** Returns the lines of a side that are not rows of a table. */
function outsideTables(side: readonly Segment[]): Segment[] {
  return groupByBaseline(side.map((segment) => ({ ...segment, x: segment.left }))).flatMap((row) =>
    row.length === 1 ? row : [],
  );
}

function bandsOf<T extends PositionedText>(segments: readonly T[], gutter: number): Band<T>[] {
  const bands: Band<T>[] = [];
  for (const segment of segments) {
    const isAcross = segment.left < gutter && segment.right > gutter;
    let band = bands.at(-1);
    if (band === undefined || (isAcross ? band.across.length === 0 : band.across.length > 0)) {
      band = { across: [], left: [], right: [] };
      bands.push(band);
    }
    (isAcross ? band.across : segment.left >= gutter ? band.right : band.left).push(segment);
  }
  return bands;
}

/**
 * Returns possible gutters between columns: first those that almost no narrow text crosses, then those that no text
 * crosses.
 */
function guttersOf(segments: readonly PositionedText[], spans = SPANS_SHARE): number[] {
  const from = segments.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = segments.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const width = to - from;
  if (!(width > 0)) return [];
  const narrow = segments.filter((segment) => segment.right - segment.left < spans * width);
  const sizes = segments.map((segment) => segment.size).sort((one, other) => one - other);
  const size = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const widthMin = (GUTTER_MIN * size * SLOTS) / width;
  const runs = [
    ...emptyRuns(coverage(narrow, from, width), narrow.length * CROSSING_SHARE_MAX, widthMin, EDGE_SHARE),
    ...emptyRuns(coverage(segments, from, width), 0, widthMin, MARGIN_SHARE),
  ];
  const gutters: number[] = [];
  for (const middle of runs) {
    const gutter = from + (middle * width) / SLOTS;
    if (gutters.length < GUTTERS_MAX && gutters.every((other) => Math.abs(other - gutter) > size)) gutters.push(gutter);
  }
  return gutters;
}

function coverage(segments: readonly PositionedText[], from: number, width: number): number[] {
  const steps = Array.from({ length: SLOTS + 1 }, () => 0);
  for (const segment of segments) {
    const start = Math.max(0, Math.floor(((segment.left - from) / width) * SLOTS));
    const end = Math.min(SLOTS, Math.ceil(((segment.right - from) / width) * SLOTS));
    steps[start] = (steps[start] ?? 0) + 1;
    steps[end] = (steps[end] ?? 0) - 1;
  }
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** Returns the middles of vertical strips that almost no text covers, widest first, without strips near the edges. */
function emptyRuns(slots: readonly number[], crossingMax: number, widthMin: number, edge: number): number[] {
  const runs: { middle: number; width: number }[] = [];
  let start = -1;
  for (let at = 0; at <= SLOTS; at += 1) {
    const isEmpty = at < SLOTS && (slots[at] ?? 0) <= crossingMax;
    if (isEmpty && start < 0) start = at;
    if (isEmpty || start < 0) continue;
    const middle = (start + at) / 2;
    const inside = middle > edge * SLOTS && middle < (1 - edge) * SLOTS;
    if (inside && at - start >= widthMin) runs.push({ middle, width: at - start });
    start = -1;
  }
  return runs.sort((one, other) => other.width - one.width).map((run) => run.middle);
}

/** Returns the pieces of tables apart from those of running text next to them, in reading order. */
export function separateTablePieces(pieces: readonly PdfPiece[]): PdfPiece[][] {
  return separateTables(groupByBaseline(pieces).flatMap(runsIn)).map((runs) => runs.flatMap((run) => run.pieces));
}

/** Joins the pieces of a row that have no wide gap between them. */
function runsIn(row: readonly PdfPiece[]): (PositionedText & { pieces: PdfPiece[] })[] {
  const runs: (PositionedText & { pieces: PdfPiece[] })[] = [];
  for (const piece of row) {
    const { x, y, size, text, rtl } = piece;
    const right = x + piece.width;
    const last = runs.at(-1);
    if (last !== undefined && x - last.right <= SEGMENT_GAP_MIN_EM * Math.min(last.size, size)) {
      last.right = Math.max(last.right, right);
      last.plain += ` ${text}`;
      last.pieces.push(piece);
    } else runs.push({ left: x, right, y, size, plain: text, rtl, pieces: [piece] });
  }
  return runs;
}
