/** How `scroll` asks to move: to a line, or by a number of lines. `numLines` is the height of the viewport. */
export type Move = { loc: number | null; delta: number; numLines: number };

/** The length of a text. `restStart` is where the rest of a page begins, if it has one. */
export type Extent = { lineCount: number; restStart: number | null };

/** Where the viewport ends up, and what cut the wish short: an end of the text, or the beginning of the rest. */
export type Moved = { start: number; clamped: 'start' | 'end' | 'rest' | null };

/**
 * An absolute `loc` wins over `delta`. Past the end the last full viewport is shown, and a positive `delta` never
 * moves backwards; before the beginning the first line is shown. No viewport shows both main part and rest, so a `delta`
 * out of the main part stops where the rest begins: nothing between the two is jumped over. Pure.
 */
export function moveViewport(from: number, { lineCount, restStart }: Extent, move: Move): Moved {
  const wanted = move.loc ?? from + move.delta;
  if (wanted < 0) return { start: 0, clamped: 'start' };
  const leavesMain = restStart !== null && from < restStart && wanted > restStart;
  if (leavesMain && move.loc === null) return { start: restStart, clamped: 'rest' };
  if (wanted < lineCount) return { start: wanted, clamped: null };
  const lastFull = Math.max(0, lineCount - move.numLines, restStart ?? 0);
  return { start: move.loc === null ? Math.max(from, lastFull) : lastFull, clamped: 'end' };
}
