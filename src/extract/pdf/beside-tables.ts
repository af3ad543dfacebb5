import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import type { PositionedText } from './columns.ts';
import { separateTables } from './regions.ts';
import { SEGMENT_GAP_MIN_EM, groupByBaseline } from './segments.ts';

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
