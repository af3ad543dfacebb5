/** Text on one baseline, at its position on the page. */
export type PositionedText = {
  left: number;
  right: number;
  y: number;
  size: number;
  plain: string;
  rtl: boolean;
};

export type SideRelation = 'columns' | 'left aside' | 'right aside' | 'rows' | 'doubt';

/** Minimum share of a side's lines that begin in lower case, as lines within a sentence do, for it to be prose. */
const GOES_ON_MIN = 0.35;
/** Minimum share of lines with a word in a column or in notes. If there are fewer, the lines are numbers of a table. */
const WORDED_MIN = 0.5;
/** Minimum share of the shorter side's lines at the height of the other side, for the two to be next to each other. */
const OVERLAP_MIN = 0.5;
/** Share of lines on baselines of the other side from which two sides are usually the rows of a table. */
const ALIGNED_MIN = 0.8;
/** Share of lines on baselines of the other side below which two sides are columns, or text and notes. */
const APART_MAX = 0.5;
const DIGITS_DIFFER_MAX = 0.34;
const EVEN_PITCH_MIN = 0.75;
/** Minimum mean width of prose whose lines continue each other, in multiples of the text size. */
const SHORT_PROSE_SIZES = 7;
/** Minimum mean width of the lines of a column, in multiples of the text size. */
const COLUMN_SIZES = 10;
/** Minimum mean width of lines of text with notes in the margin, in multiples of the text size. */
const MAIN_SIZES = 12;
/** Maximum vertical distance of two texts on the same baseline, in multiples of the text size. */
const SAME_LINE = 0.08;
const LINES_MIN = 6;
const MAIN_LINES_MIN = 3;
/** Minimum share of a column's width that its pieces of text fill. Cells of a table fill a smaller share. */
const FILLED_MIN = 0.55;
/**
 * Minimum share of a column's width that its pieces of text fill for it to count as prose, whatever its lines begin
 * with.
 */
const PROSE_FILLED_MIN = 0.75;
const CELLS_PER_LINE_MAX = 1.35;
const ASIDE_SIZE_MAX = 0.92;
const ALIKE_TIMES_MAX = 1.8;
/** Maximum gap between two sides, in multiples of the left one's width. */
const NEAR_GAP_MAX = 0.5;
/** Minimum pieces of text per line of a table next to running text. */
const TABLE_CELLS_MIN = 1.8;

type Side = {
  lines: number;
  ys: number[];
  left: number;
  right: number;
  size: number;
  /** Mean width of the pieces of text, in text sizes (`sizes`) and as a share of the side's width (`filled`). */
  sizes: number;
  filled: number;
  /** Shares of lines: in the middle of a sentence (`goesOn`), with digits (`digits`), with a word (`worded`). */
  goesOn: number;
  digits: number;
  worded: number;
  cellsPerLine: number;
};

/**
 * Decides what two pieces of a page next to each other are. Columns are filled with text that continues from line to
 * line; rows of a table share baselines; a note in the margin has smaller text or its own baselines.
 */
export function classifySides(left: Side | null, right: Side | null): SideRelation {
  if (left === null || right === null || !areBeside(left, right)) return 'rows';
  if ((isProse(left) || isFilled(left)) && (isProse(right) || isFilled(right))) return 'columns';
  const aligned = alignedShare(left, right);
  if (isMain(right) && isAside(left, right, aligned)) return 'left aside';
  if (isMain(left) && isAside(right, left, aligned)) return 'right aside';
  const isPlain = left.cellsPerLine <= CELLS_PER_LINE_MAX && right.cellsPerLine <= CELLS_PER_LINE_MAX;
  const areWorded = Math.min(left.worded, right.worded) > WORDED_MIN;
  if (!isPlain || !areWorded || Math.min(left.lines, right.lines) < 2) return 'rows';
  if (aligned < APART_MAX) return 'columns';
  const isNear = right.left - left.right <= NEAR_GAP_MAX * (left.right - left.left);
  if (aligned >= ALIGNED_MIN && !(isNear && isAlike(left, right))) return 'rows';
  const isLong = left.lines >= LINES_MIN && right.lines >= LINES_MIN;
  return isLong && isNear && left.filled >= FILLED_MIN && right.filled >= FILLED_MIN ? 'columns' : 'doubt';
}

/** True if both sides of a page are filled columns, as opposed to a list, or text with notes in the margin. */
export function areColumns(left: Side | null, right: Side | null): boolean {
  const isColumn = (side: Side | null) => side !== null && (isProse(side) || isFilled(side));
  return isColumn(left) && isColumn(right) && classifySides(left, right) === 'columns';
}

/** True for a table next to running text whose lines are not on the baselines of the rows. */
export function isTableBesideText(one: Side | null, other: Side | null): boolean {
  return isTableBeside(one, other) || isTableBeside(other, one);
}

function isTableBeside(table: Side | null, text: Side | null): boolean {
  if (table === null || text === null || !areBeside(table, text)) return false;
  const isTable = table.lines >= MAIN_LINES_MIN && table.cellsPerLine >= TABLE_CELLS_MIN;
  return isTable && isMain(text) && text.filled >= PROSE_FILLED_MIN && alignedShare(table, text) < APART_MAX;
}

/** True if at least half of the shorter side's lines are at the height of the other side. */
function areBeside(one: Side, other: Side): boolean {
  const [short, long] = one.lines <= other.lines ? [one, other] : [other, one];
  const [top = 0, bottom = 0] = [long.ys[0], long.ys.at(-1)];
  const beside = short.ys.filter((y) => y >= top - long.size && y <= bottom + long.size);
  return beside.length >= OVERLAP_MIN * short.lines;
}

export function measureSide(sorted: readonly PositionedText[]): Side | null {
  const lines: { y: number; left: number; right: number; digits: boolean; word: boolean }[] = [];
  const sizes = sorted.map(({ size }) => size).sort((one, other) => one - other);
  const size = sizes[Math.floor(sizes.length / 2)] ?? 0;
  for (const { y, left, right, plain } of sorted) {
    const line = lines.at(-1);
    const found = { digits: /\d/.test(plain), word: /\p{L}{2}/u.test(plain) };
    if (line === undefined || y - line.y > 0.45 * size) lines.push({ y, left, right, ...found });
    else {
      line.right = Math.max(line.right, right);
      line.digits ||= found.digits;
      line.word ||= found.word;
      line.left = Math.min(line.left, left);
    }
  }
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  const right = lines.reduce((most, line) => Math.max(most, line.right), -Infinity);
  if (lines.length === 0 || !(right > left) || size === 0) return null;
  const width = sorted.reduce((sum, segment) => sum + segment.right - segment.left, 0) / sorted.length;
  const following = sorted.slice(1);
  return {
    lines: lines.length,
    ys: lines.map(({ y }) => y),
    left,
    right,
    size,
    sizes: width / size,
    filled: width / (right - left),
    goesOn: following.filter(({ plain }) => /^[\p{Ll}(]/u.test(plain)).length / Math.max(1, following.length),
    digits: lines.filter((line) => line.digits).length / lines.length,
    worded: lines.filter(({ word }) => word).length / lines.length,
    cellsPerLine: sorted.length / lines.length,
  };
}

/** True for a side whose lines continue each other, or whose many lines fill it. */
function isProse({ lines, goesOn, sizes, filled, cellsPerLine }: Side): boolean {
  if (lines < 2) return false;
  const isPlain = cellsPerLine <= CELLS_PER_LINE_MAX;
  if (goesOn >= GOES_ON_MIN && sizes >= (isPlain ? SHORT_PROSE_SIZES : COLUMN_SIZES)) return true;
  return isPlain && lines >= LINES_MIN && sizes >= COLUMN_SIZES && filled >= PROSE_FILLED_MIN;
}

/** True for a long side whose lines fill it, such as a list of references. */
function isFilled({ lines, sizes, filled, cellsPerLine }: Side): boolean {
  return lines >= LINES_MIN && sizes >= COLUMN_SIZES && filled >= FILLED_MIN && cellsPerLine <= CELLS_PER_LINE_MAX;
}

/**
 * True for running text with even line distances, which may have notes in the margin. Rows of a table have uneven
 * distances.
 */
function isMain(side: Side): boolean {
  if (side.lines < MAIN_LINES_MIN || side.sizes < MAIN_SIZES || side.cellsPerLine > CELLS_PER_LINE_MAX) return false;
  const pitches = side.ys.slice(1).map((y, index) => y - (side.ys[index] ?? 0));
  const usual = [...pitches].sort((one, other) => one - other)[Math.floor(pitches.length / 2)] ?? 0;
  return pitches.filter((pitch) => Math.abs(pitch - usual) < 0.15 * usual).length >= EVEN_PITCH_MIN * pitches.length;
}

function isAside(side: Side, main: Side, aligned: number): boolean {
  if (side.worded < WORDED_MIN || side.right - side.left > main.right - main.left) return false;
  return side.size <= ASIDE_SIZE_MAX * main.size || aligned < APART_MAX;
}

/** Returns the share of the shorter side's lines that are on a baseline of the other side. */
function alignedShare(one: Side, other: Side): number {
  const [short, long] = one.lines <= other.lines ? [one, other] : [other, one];
  let at = 0;
  let aligned = 0;
  for (const y of short.ys) {
    const tolerance = SAME_LINE * Math.max(short.size, long.size);
    while (at < long.ys.length && (long.ys[at] ?? 0) < y - tolerance) at += 1;
    if (Math.abs((long.ys[at] ?? Infinity) - y) <= tolerance) aligned += 1;
  }
  return aligned / short.lines;
}

/** True if both sides look like columns of one list, as opposed to names and their values. */
function isAlike(left: Side, right: Side): boolean {
  const times = Math.max(left.sizes, right.sizes) / Math.min(left.sizes, right.sizes);
  return Math.abs(left.digits - right.digits) <= DIGITS_DIFFER_MAX && times <= ALIKE_TIMES_MAX;
}
