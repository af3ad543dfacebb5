import { groupByBaseline } from '#extract/pdf/segments.ts';
import { toPdfPieces, toRunText } from './pieces.ts';
import type { PdfPiece, PdfTextRun } from './pieces.ts';

/** Text rotated by a quarter or half turn, in the coordinates of the page turned upright. */
type SidewaysPage = { pieces: PdfPiece[]; transform: readonly number[] };

/** Minimum rows of a sideways table. A single row may be a stamp or the header of a narrow column. */
const TABLE_ROWS_MIN = 2;
/** Minimum characters of sideways text without a table. Shorter text is a stamp or the head of a narrow column. */
const TEXT_CHARS_MIN = 300;
/** Maximum difference from an exact quarter turn. */
const LEAN_MAX = 0.02;
/** Minimum gap between two cells, in multiples of the text size. */
const CELL_GAP = 1;
const TURNS = [
  [0, -1],
  [0, 1],
  [-1, 0],
] as const;

/** Divides rotated text into pages, which are read like upright ones, and stamps. */
export function readRotatedText(
  runs: readonly PdfTextRun[],
  viewport: readonly number[],
): { pages: SidewaysPage[]; stamps: string[] } {
  const pages: SidewaysPage[] = [];
  const read = new Set<PdfTextRun>();
  for (const [cos, sin] of TURNS) {
    const own = runs.filter((run) => run.dir !== 'ttb' && isAlong(run, viewport, cos, sin));
    const transform = turned(viewport, cos, sin);
    const pieces = own.length === 0 ? [] : toPdfPieces(own, transform).upright;
    if (!isPage(pieces)) continue;
    pages.push({ pieces, transform });
    for (const run of own) read.add(run);
  }
  return { pages, stamps: runs.filter((run) => !read.has(run)).map((run) => toRunText(run).trim()) };
}

function isAlong({ transform }: PdfTextRun, viewport: readonly number[], cos: number, sin: number): boolean {
  const [a = 1, b = 0] = transform;
  const [va = 1, vb = 0, vc = 0, vd = 1] = viewport;
  const [x, y] = [va * a + vc * b, vb * a + vd * b];
  const length = Math.hypot(x, y);
  return length > 0 && Math.abs(x / length - cos) < LEAN_MAX && Math.abs(y / length - sin) < LEAN_MAX;
}

function turned(viewport: readonly number[], cos: number, sin: number): number[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = viewport;
  return [
    cos * a + sin * b,
    cos * b - sin * a,
    cos * c + sin * d,
    cos * d - sin * c,
    cos * e + sin * f,
    cos * f - sin * e,
  ];
}

function isPage(pieces: readonly PdfPiece[]): boolean {
  const rows = groupByBaseline(pieces).filter((row) =>
    row.some((piece, index) => {
      const before = row[index - 1];
      return before !== undefined && piece.x - before.x - before.width > CELL_GAP * piece.size;
    }),
  );
  return rows.length >= TABLE_ROWS_MIN || pieces.reduce((sum, { text }) => sum + text.length, 0) >= TEXT_CHARS_MIN;
}
