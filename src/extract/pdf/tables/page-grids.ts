import type { PathBox, DrawnLine } from '#extract/pdf/drawn/path-boxes.ts';
import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import { findDrawnLines } from '#extract/pdf/drawn/path-boxes.ts';
import { edgesAndCentre, LIST_ITEM_MARK_PATTERN } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';
import { findOpenGrids } from './open-grids.ts';
import { findRuledGrids } from './ruled-grids.ts';
import type { RuledGrid } from './ruled-grids.ts';
import { groupByBaseline } from '#extract/pdf/segments.ts';

/**
 * Tables of a page, the pieces outside them (`others`), and all horizontal lines (`across`; none if the page cannot have
 * a table).
 */
type PageGrids = { grids: RuledGrid[]; others: readonly PdfPiece[]; across: readonly DrawnLine[] };

/** Minimum gap between two cells, in multiples of the text size. */
const CELL_GAP_MIN = 0.7;
/** Maximum distance between the edges of cells in one column, in points. */
const EDGE_TOLERANCE = 1;
const ROWS_MIN = 3;
/** Maximum characters of a list mark, such as `(123)`. */
const ITEM_MARK_MAX = 6;

/** Finds tables whose cells are divided by drawn lines, and other tables whose cells the page places clearly. */
export function findGrids(
  pieces: readonly PdfPiece[],
  boxes: readonly PathBox[],
  transform: readonly number[],
): PageGrids {
  const rules = boxes.length > 0 && mayBeTable(pieces) ? findDrawnLines(boxes, transform) : { across: [], down: [] };
  const ruled = findRuledGrids(pieces, rules);
  const open = findOpenGrids(ruled.others, rules.across);
  return { grids: [...ruled.grids, ...open.grids], others: open.others, across: rules.across };
}

/** True if cells in at least three rows share an edge or middle, not counting the first cell of a row. */
function mayBeTable(pieces: readonly PdfPiece[]): boolean {
  const counts = new Map<string, number>();
  for (const row of groupByBaseline(pieces)) {
    const [, ...cells] = partsOf(row);
    const shared = new Set(
      cells.flatMap((cell) => edgesAndCentre(cell).map((at, kind) => `${kind} ${Math.round(at / EDGE_TOLERANCE)}`)),
    );
    for (const edge of shared) {
      const count = (counts.get(edge) ?? 0) + 1;
      if (count >= ROWS_MIN) return true;
      counts.set(edge, count);
    }
  }
  return false;
}

function partsOf(row: readonly PdfPiece[]): HorizontalSpan[] {
  const parts: (HorizontalSpan & { text: string })[] = [];
  for (const { x, width, size, text } of row) {
    const last = parts.at(-1);
    if (
      last === undefined ||
      (x - last.right > CELL_GAP_MIN * size && !LIST_ITEM_MARK_PATTERN.test(last.text.trim()))
    ) {
      parts.push({ left: x, right: x + width, text });
    } else {
      last.right = Math.max(last.right, x + width);
      last.text = `${last.text.slice(-ITEM_MARK_MAX)}${text}`;
    }
  }
  return parts;
}
